"""Maps as pictures: a chart is a function from a map to a `Spec`, a value that knows no colour, no file and no server."""

CHARTS = {
    "heatmap": "forgetmap.charts.heatmap:heatmap",
    "forest": "forgetmap.charts.forest:forest",
    "radar": "forgetmap.charts.radar:radar",
    "trade": "forgetmap.charts.trade:trade",
    "hidden": "forgetmap.charts.hidden:hidden",
    "split": "forgetmap.charts.split:split",
}
