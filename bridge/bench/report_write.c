/* report_write.c - the report as HTML and as Markdown; see report.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/bench/bench_plot.h"
#include "bridge/bench/report.h"
#include "igpu/output.h"

#define BEGIN_MARK "<!-- igpu report: begin -->"
#define END_MARK "<!-- igpu report: end -->"

static const char calibrated[] = "calibrated: ";

static const char *verdict(const struct report_finding *f)
{
    return f->verdict == REPORT_HOLDS     ? "holds"
           : f->verdict == REPORT_DIFFERS ? "differs"
                                          : "";
}

static void error_text(const struct report_finding *f, char *text, size_t size)
{
    text[0] = '\0';
    if (!isnan(f->error))
        (void)snprintf(text, size, "%+.1f %%", f->error);
}

static uint32_t count(const struct report *r, enum report_verdict v)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->findings; i++)
        n += r->finding[i].verdict == v;
    return n;
}

static void summary(FILE *out, const struct report *r)
{
    fprintf(out, "%u numbers and properties hold, %u differ, %u are only told%s.",
            count(r, REPORT_HOLDS), count(r, REPORT_DIFFERS), count(r, REPORT_TOLD),
            r->quick ? " (short run: fewer points)" : "");
}

/* ---- HTML ---------------------------------------------------------------- */

/* Text of the program's own: only these can occur. */
static void escape(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fputc(*text, out);
}

static void html_row(FILE *out, const struct report_finding *f)
{
    char error[32];

    error_text(f, error, sizeof(error));
    fprintf(out, "<tr class='%s'><td>", verdict(f));
    escape(out, f->quantity);
    fputs("</td><td>", out);
    escape(out, f->published);
    fputs("</td><td>", out);
    escape(out, f->ours);
    fprintf(out, "</td><td>%s</td><td>%s</td></tr>\n", error, verdict(f));
}

static void html_table(FILE *out, const struct bench_table *t)
{
    fputs("<details><summary>All points</summary><pre>", out);
    bench_table_text(out, t);
    fputs("</pre></details>\n", out);
}

static void html_run(FILE *out, const struct report *r, const struct report_run *run)
{
    bool any = false;

    fprintf(out, "<section><h2>%s</h2><p><code>igpu bench ", run->plan->title);
    escape(out, run->command);
    fputs("</code></p>\n", out);
    if (run->plan->note != NULL)
        fprintf(out, "<p>%s</p>\n", run->plan->note);
    if (run->table.rows > 1)
        bench_plot_svg(out, &run->c.bench->plot, &run->table, false);
    for (uint32_t i = 0; i < r->findings; i++) {
        if (r->finding[i].run != run)
            continue;
        if (!any)
            fputs("<table><tr><th>quantity</th><th>published</th><th>Vigpu</th>"
                  "<th>error</th><th></th></tr>\n",
                  out);
        any = true;
        html_row(out, &r->finding[i]);
    }
    if (any)
        fputs("</table>\n", out);
    html_table(out, &run->table);
    fputs("</section>\n", out);
}

static void html_style(FILE *out)
{
    fputs("<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;"
          "padding:0 1rem;color:#222;background:#fff}"
          "table{border-collapse:collapse}th,td{text-align:left;padding:.15rem .8rem "
          ".15rem 0;border-bottom:1px solid #ccc}"
          "code,pre{font:13px monospace}pre{overflow-x:auto}"
          "svg{max-width:100%;height:auto}.differs{color:#a1301f;font-weight:bold}"
          "@media (prefers-color-scheme:dark){body{color:#ddd;background:#181a1d}"
          "th,td{border-color:#444}.differs{color:#f08a7a}}"
          "@media print{body{max-width:none;margin:0}section{break-inside:avoid}}\n",
          out);
    bench_plot_style(out);
    fputs("</style>\n", out);
}

/* Parameters that were fitted, with what they were fitted on: their own sources. */
static void html_calibrated(FILE *out)
{
    size_t n;
    const struct igpu_param_info *p = igpu_params(&n);

    fputs("<section><h2>What is calibrated on what</h2><p>Everything else comes from a "
          "source or is an estimate that was not fitted (docs/params.md).</p><table>"
          "<tr><th>parameter</th><th>default</th><th>fitted on</th></tr>\n",
          out);
    for (size_t i = 0; i < n; i++) {
        if (strncmp(p[i].source, calibrated, sizeof(calibrated) - 1) != 0)
            continue;
        fprintf(out, "<tr><td><code>%s</code></td><td>%llu %s</td><td>", p[i].key,
                (unsigned long long)p[i].def, p[i].unit);
        escape(out, p[i].source + sizeof(calibrated) - 1);
        fputs("</td></tr>\n", out);
    }
    fputs("</table></section>\n", out);
}

void report_html(FILE *out, const struct report *r)
{
    fputs("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
          "<meta name='viewport' content='width=device-width'>"
          "<title>Vigpu against the published measurements</title>\n",
          out);
    html_style(out);
    fprintf(out,
            "</head><body><h1>Vigpu against the published measurements</h1><p>Version "
            "%s, %s engine. ",
            IGPU_VERSION, r->run[0].c.engine);
    summary(out, r);
    fputs("</p>\n<section><h2>Where we differ</h2>", out);
    if (count(r, REPORT_DIFFERS) == 0)
        fputs("<p>Nowhere in what was run.</p>", out);
    fputs("<table>\n", out);
    for (uint32_t i = 0; i < r->findings; i++)
        if (r->finding[i].verdict == REPORT_DIFFERS)
            html_row(out, &r->finding[i]);
    fputs("</table></section>\n", out);
    html_calibrated(out);
    for (uint32_t i = 0; i < r->runs; i++)
        html_run(out, r, &r->run[i]);
    fputs("</body></html>\n", out);
}

/* ---- Markdown ------------------------------------------------------------ */

static void markdown_run(FILE *out, const struct report *r,
                         const struct report_run *run)
{
    bool any = false;

    for (uint32_t i = 0; i < r->findings; i++) {
        const struct report_finding *f = &r->finding[i];
        char error[32];

        if (f->run != run)
            continue;
        if (!any)
            fprintf(out,
                    "\n## %s\n`igpu bench %s`%s%s\n\n| quantity | published | Vigpu | "
                    "error | |\n|---|---|---|---|---|\n",
                    run->plan->title, run->command,
                    run->plan->note != NULL ? "  \n" : "",
                    run->plan->note != NULL ? run->plan->note : "");
        any = true;
        error_text(f, error, sizeof(error));
        fprintf(out, "| %s | %s | %s | %s | %s |\n", f->quantity, f->published, f->ours,
                error, f->verdict == REPORT_DIFFERS ? "**differs**" : verdict(f));
    }
}

static void markdown_calibrated(FILE *out)
{
    size_t n;
    const struct igpu_param_info *p = igpu_params(&n);

    fputs(
        "\n## What is calibrated on what\nEverything else comes from a source or is an "
        "estimate that was not fitted ([params.md](params.md)).\n\n"
        "| parameter | default | fitted on |\n|---|---|---|\n",
        out);
    for (size_t i = 0; i < n; i++)
        if (strncmp(p[i].source, calibrated, sizeof(calibrated) - 1) == 0)
            fprintf(out, "| `%s` | %llu %s | %s |\n", p[i].key,
                    (unsigned long long)p[i].def, p[i].unit,
                    p[i].source + sizeof(calibrated) - 1);
}

static void markdown_body(FILE *out, const struct report *r)
{
    fprintf(out, "%s\nMade by `igpu report`. ", BEGIN_MARK);
    summary(out, r);
    fputs(" Each row has its command above it; `igpu report -o report.html` also draws "
          "the curves.\n",
          out);
    for (uint32_t i = 0; i < r->runs; i++)
        markdown_run(out, r, &r->run[i]);
    markdown_calibrated(out);
    fputs(END_MARK, out);
}

/* The file's text, malloc'ed with a 0 behind it; NULL: not readable. */
static char *slurp(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (in == NULL)
        return NULL;
    if (fseek(in, 0, SEEK_END) == 0 && (size = ftell(in)) >= 0) {
        rewind(in);
        text = malloc((size_t)size + 1);
        if (text != NULL)
            text[fread(text, 1, (size_t)size, in)] = '\0';
    }
    (void)fclose(in);
    return text;
}

static enum igpu_status write_between(const char *path, const char *before,
                                      size_t bytes, const char *after,
                                      const struct report *r, struct igpu_err *err)
{
    struct igpu_output out;
    enum igpu_status status = igpu_output_open(&out, path, err);

    if (status != IGPU_OK)
        return status;
    (void)fwrite(before, 1, bytes, out.file);
    markdown_body(out.file, r);
    fputs(after, out.file);
    return igpu_output_close(&out, err);
}

/* Where the markers are in `text`; false: nowhere. */
static bool find_marks(char *text, char **begin, char **end)
{
    *begin = text != NULL ? strstr(text, BEGIN_MARK) : NULL;
    *end = *begin != NULL ? strstr(*begin, END_MARK) : NULL;
    return *end != NULL;
}

static enum igpu_status no_marks(const char *path, struct igpu_err *err)
{
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: expected a file with the lines " BEGIN_MARK " and " END_MARK,
                     path);
}

enum igpu_status report_markdown_check(const char *path, struct igpu_err *err)
{
    char *text = slurp(path), *begin, *end;
    bool good = find_marks(text, &begin, &end);

    free(text);
    return good ? IGPU_OK : no_marks(path, err);
}

enum igpu_status report_markdown(const char *path, const struct report *r,
                                 struct igpu_err *err)
{
    char *text = slurp(path), *begin, *end;
    enum igpu_status status = find_marks(text, &begin, &end)
                                  ? write_between(path, text, (size_t)(begin - text),
                                                  end + strlen(END_MARK), r, err)
                                  : no_marks(path, err);

    free(text);
    return status;
}
