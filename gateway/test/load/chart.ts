/**
 * Draws a line or dot chart as SVG, readable on light and dark pages: the colours follow the reader's
 * preference. Has only the features that the reports need.
 */
export interface Series {
  readonly name: string
  readonly points: readonly (readonly [number, number])[]
  readonly as: 'line' | 'dots'
}

export interface Chart {
  readonly title: string
  readonly x: string
  readonly y: string
  readonly series: readonly Series[]
  /** Limits, drawn as horizontal lines. */
  readonly rules?: readonly { readonly at: number; readonly name: string }[]
  readonly logX?: boolean
  readonly logY?: boolean
  readonly minY?: number
  readonly maxY?: number
}

const [width, height] = [760, 340]
const inner = { left: 64, right: width - 20, top: 58, bottom: height - 48 }
const legendSpacing = 150
const colours = [
  ['#0550ae', '#6cb6ff'],
  ['#bc4c00', '#f69d50'],
  ['#1a7f37', '#57ab5a'],
  ['#8250df', '#b083f0'],
  ['#bf3989', '#e275ad'],
] as const

const style = `
  text { font: 12px system-ui, sans-serif; fill: #424a53 }
  .title { font-size: 14px; font-weight: 600; fill: #1f2328 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .rule { stroke: #cf222e; stroke-width: 1; stroke-dasharray: 5 4 }
${colours.map(([light], index) => `  .s${index} { stroke: ${light}; fill: ${light} }`).join('\n')}
  @media (prefers-color-scheme: dark) {
    text { fill: #adbac7 }
    .title { fill: #e6edf3 }
    .grid { stroke: #373e47 }
    .rule { stroke: #f47067 }
${colours.map(([, dark], index) => `    .s${index} { stroke: ${dark}; fill: ${dark} }`).join('\n')}
  }
  .line { fill: none; stroke-width: 1.6 }
  .dot { stroke: none; fill-opacity: 0.7 }`

export function drawChart(chart: Chart): string {
  const points = chart.series.flatMap((series) => series.points)
  const ys = [...points.map(([, y]) => y), ...(chart.rules ?? []).map(({ at }) => at)]
  const xAxis = axis(
    points.map(([x]) => x),
    chart.logX === true,
    inner.left,
    inner.right,
    true,
  )
  const yAxis = axis(
    [...ys, ...[chart.minY, chart.maxY].filter((y) => y !== undefined)],
    chart.logY === true,
    inner.bottom,
    inner.top,
    false,
  )
  const parts = [
    `<text class="title" x="${inner.left}" y="20">${escape(chart.title)}</text>`,
    ...yAxis.ticks.map(
      (y) =>
        `<line class="grid" x1="${inner.left}" x2="${inner.right}" y1="${yAxis.at(y)}" y2="${yAxis.at(y)}"/>` +
        `<text x="${inner.left - 8}" y="${yAxis.at(y) + 4}" text-anchor="end">${label(y)}</text>`,
    ),
    ...xAxis.ticks.map(
      (x) => `<text x="${xAxis.at(x)}" y="${inner.bottom + 18}" text-anchor="middle">${label(x)}</text>`,
    ),
    `<text x="${(inner.left + inner.right) / 2}" y="${height - 10}" text-anchor="middle">${escape(chart.x)}</text>`,
    `<text transform="translate(16 ${(inner.top + inner.bottom) / 2}) rotate(-90)" text-anchor="middle">${escape(chart.y)}</text>`,
    ...(chart.rules ?? []).map(
      ({ at, name }) =>
        `<line class="rule" x1="${inner.left}" x2="${inner.right}" y1="${yAxis.at(at)}" y2="${yAxis.at(at)}"/>` +
        `<text x="${inner.right}" y="${yAxis.at(at) - 5}" text-anchor="end">${escape(name)}</text>`,
    ),
    ...chart.series.map((series, index) => {
      const colour = `s${index % colours.length}`
      const placed = series.points.map(([x, y]) => [xAxis.at(x), yAxis.at(y)] as const)
      return series.as === 'line'
        ? `<polyline class="line ${colour}" style="fill:none" points="${placed.map((point) => point.join(',')).join(' ')}"/>`
        : placed.map(([x, y]) => `<circle class="dot ${colour}" cx="${x}" cy="${y}" r="2.2"/>`).join('')
    }),
    ...chart.series.map(
      ({ name }, index) =>
        `<rect class="s${index % colours.length}" x="${inner.left + index * legendSpacing}" y="32" width="10" height="10"/>` +
        `<text x="${inner.left + index * legendSpacing + 15}" y="41">${escape(name)}</text>`,
    ),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(chart.title)}">
<style>${style}
</style>
${parts.join('\n')}
</svg>
`
}

interface Axis {
  readonly ticks: readonly number[]
  at(value: number): number
}

/** The horizontal axis ends with the data; the vertical axis ends at a tick. */
function axis(values: readonly number[], log: boolean, from: number, to: number, tight: boolean): Axis {
  // Math.min(...values) fails for a million points.
  const min = values.reduce((one, other) => Math.min(one, other), Infinity)
  const max = values.reduce((one, other) => Math.max(one, other), -Infinity)
  const scale = log ? Math.log10 : (value: number) => value
  const marks = log ? decades(min, max) : steps(min, max)
  const ticks = tight ? marks.filter((mark) => mark >= min && mark <= max) : marks
  const low = scale(tight ? min : Math.min(min, marks[0]!))
  const high = scale(tight ? max : Math.max(max, marks.at(-1)!))
  return {
    ticks,
    at: (value) => Math.round((from + ((scale(value) - low) / (high - low || 1)) * (to - from)) * 10) / 10,
  }
}

function steps(min: number, max: number): number[] {
  const rough = (max - min || 1) / 5
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = size * ([1, 2, 5, 10].find((factor) => factor * size >= rough) ?? 10)
  const first = Math.floor(min / step)
  const last = Math.ceil(max / step)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

function decades(min: number, max: number): number[] {
  const first = Math.floor(Math.log10(Math.max(min, 1e-9)))
  const last = Math.ceil(Math.log10(Math.max(max, 1e-9)))
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
}

function label(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 })
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
