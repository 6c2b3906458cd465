"""The published experiments against ours: run them, judge them, write the report.

    from vigpu import report
    data = report.measure(quick=True, engine="ref")
    for finding in report.report(data).differing:
        print(finding.quantity, finding.published, finding.ours)
"""
from vigpu.report.collect import Report, load, measure, report
from vigpu.report.findings import Finding, Run, Verdict
from vigpu.report.page import html, insert, markdown

__all__ = ["Finding", "Report", "Run", "Verdict", "html", "insert", "load", "markdown",
           "measure", "report"]
