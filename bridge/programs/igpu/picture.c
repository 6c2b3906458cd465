/* picture.c - see picture.h. */
#include "bridge/programs/igpu/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/output.h"

enum { MAX_PIXELS = 1 << 28, BRIGHTER = 8 };

enum igpu_status picture_read(const char *path, struct picture *p, struct igpu_err *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool good = png_image_begin_read_from_file(&image, path) != 0;

    *p = (struct picture){0, 0, NULL};
    if (good && (uint64_t)image.width * image.height > MAX_PIXELS) {
        png_image_free(&image);
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: a picture of %u x %u pixels", path,
                         (unsigned)image.width, (unsigned)image.height);
    }
    image.format = PNG_FORMAT_RGBA;
    if (good)
        p->rgba = malloc(PNG_IMAGE_SIZE(image));
    if (good && p->rgba != NULL)
        good = png_image_finish_read(&image, NULL, p->rgba, 0, NULL) != 0;
    if (!good || p->rgba == NULL) {
        enum igpu_status status =
            good ? igpu_no_memory(err, "%s", path)
                 : igpu_fail(err, IGPU_BAD_INPUT, "%s: no PNG picture: %s", path,
                             image.message);

        free(p->rgba);
        p->rgba = NULL;
        png_image_free(&image);
        return status;
    }
    p->width = image.width;
    p->height = image.height;
    return IGPU_OK;
}

static void without_alpha(const struct picture *p, uint8_t *rgb)
{
    for (size_t i = 0; i < (size_t)p->width * p->height; i++)
        memcpy(rgb + 3 * i, p->rgba + 4 * i, 3);
}

struct writing {
    png_image *image;
    const uint8_t *rgb;
};

static void picture_put(FILE *out, void *ctx)
{
    struct writing *w = ctx;

    (void)png_image_write_to_stdio(w->image, out, 0, w->rgb, 0, NULL);
}

enum igpu_status picture_write(const char *path, const struct picture *p,
                               struct igpu_err *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = p->width,
                       .height = p->height,
                       .format = PNG_FORMAT_RGB};
    uint8_t *rgb = malloc((size_t)p->width * p->height * 3 + 1);
    struct writing w = {&image, rgb};
    enum igpu_status status;

    if (rgb == NULL)
        return igpu_no_memory(err, "%s", path);
    without_alpha(p, rgb);
    status = igpu_output_put(path, picture_put, &w, err);
    free(rgb);
    return status;
}

static uint32_t distance(const uint8_t *a, const uint8_t *b)
{
    uint32_t worst = 0;

    for (uint32_t c = 0; c < 3; c++) {
        uint32_t d = a[c] > b[c] ? (uint32_t)a[c] - b[c] : (uint32_t)b[c] - a[c];

        worst = d > worst ? d : worst;
    }
    return worst;
}

struct picture_distance picture_compare(const struct picture *a,
                                        const struct picture *b)
{
    struct picture_distance d = {.pixels = (uint64_t)a->width * a->height};

    for (uint64_t i = 0; i < d.pixels; i++) {
        uint32_t far = distance(a->rgba + 4 * i, b->rgba + 4 * i);

        d.same += far == 0;
        d.near += far <= PICTURE_NEAR;
        d.worst = far > d.worst ? far : d.worst;
    }
    return d;
}

enum igpu_status picture_difference(const struct picture *a, const struct picture *b,
                                    struct picture *out, struct igpu_err *err)
{
    size_t bytes = (size_t)a->width * a->height * 4;

    *out = (struct picture){a->width, a->height, malloc(bytes + 1)};
    if (out->rgba == NULL)
        return igpu_no_memory(err, "a picture");
    for (size_t i = 0; i < bytes; i++) {
        int d = abs((int)a->rgba[i] - b->rgba[i]) * BRIGHTER;

        out->rgba[i] = (uint8_t)(i % 4 == 3 || d > 255 ? 255 : d);
    }
    return IGPU_OK;
}
