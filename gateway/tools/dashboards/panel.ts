/**
 * Grafana panels, described by the values that differ between them: the question in the title, how to read
 * the panel, the expressions, the unit and the thresholds. Everything else is the same on all of them.
 */

export interface Query {
  readonly expr: string
  /** `{{label}}` inserts a label. */
  readonly legend: string
}

type Unit = 'short' | 's' | 'percentunit' | 'msg/s' | 'bytes' | 'none'
type Kind = 'timeseries' | 'stat'

export interface Panel {
  /** Phrased as a question. */
  readonly title: string
  /** Describes good values and how to react to bad ones. */
  readonly description: string
  readonly queries: readonly Query[]
  readonly unit: Unit
  readonly kind?: Kind
  /** Thresholds for yellow and red. */
  readonly thresholds?: { readonly warn?: number; readonly bad: number }
  /** Shows traces of single messages on the curve. */
  readonly exemplars?: boolean
  readonly stacked?: boolean
}

export interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly description: string
  /**
   * Additional variables besides the data source and the cell: labels with selectable values, each with a
   * metric that has it.
   */
  readonly variables?: readonly { readonly name: string; readonly metric: string }[]
  readonly panels: readonly Panel[]
}

/** Width in columns, of which a row has 24, and height in lines. */
const sizes = { timeseries: { w: 12, h: 8 }, stat: { w: 4, h: 4 } }
const columns = 24
const datasource = { type: 'prometheus', uid: '${datasource}' }

export function toGrafana({ uid, title, description, variables = [], panels }: Dashboard) {
  return {
    uid,
    title,
    description,
    tags: ['postern'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    // Links each dashboard to the others.
    links: [{ type: 'dashboards', title: 'Postern', tags: ['postern'], asDropdown: false, keepTime: true }],
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        toVariable('cell', 'postern_partitions_owned'),
        ...variables.map(({ name, metric }) => toVariable(name, metric)),
      ],
    },
    panels: place(panels),
  }
}

function toVariable(name: string, metric: string) {
  return {
    name,
    label: name,
    type: 'query',
    datasource,
    query: `label_values(${metric}, ${name})`,
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
    refresh: 2,
  }
}

/** Places panels from left to right, then in the next row. */
function place(panels: readonly Panel[]) {
  let [x, y, rowHeight] = [0, 0, 0]
  return panels.map((panel, index) => {
    const kind = panel.kind ?? 'timeseries'
    const { w, h } = sizes[kind]
    if (x + w > columns) [x, y, rowHeight] = [0, y + rowHeight, 0]
    const gridPos = { x, y, w, h }
    x += w
    rowHeight = Math.max(rowHeight, h)
    return toPanel(panel, kind, index + 1, gridPos)
  })
}

function toPanel(panel: Panel, kind: Kind, id: number, gridPos: object) {
  const { title, description, queries, unit, exemplars = false } = panel
  return {
    id,
    type: kind,
    title,
    description,
    gridPos,
    datasource,
    targets: queries.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode(65 + n),
      expr,
      legendFormat: legend,
      datasource,
      exemplar: exemplars,
    })),
    fieldConfig: { defaults: { unit, min: 0, ...appearance(panel, kind) }, overrides: [] },
    options:
      kind === 'stat'
        ? { colorMode: 'background', graphMode: 'area', reduceOptions: { calcs: ['lastNotNull'] } }
        : { legend: { displayMode: 'table', placement: 'right', calcs: ['lastNotNull', 'max'] } },
  }
}

function appearance({ thresholds, stacked = false }: Panel, kind: Kind) {
  if (kind === 'timeseries') {
    const stacking = stacked ? { stacking: { mode: 'normal' }, fillOpacity: 40 } : { fillOpacity: 5 }
    return { color: { mode: 'palette-classic' }, custom: { lineWidth: 1, showPoints: 'never', ...stacking } }
  }
  const steps = [
    { color: 'green', value: null },
    ...(thresholds?.warn === undefined ? [] : [{ color: 'yellow', value: thresholds.warn }]),
    ...(thresholds === undefined ? [] : [{ color: 'red', value: thresholds.bad }]),
  ]
  return { color: { mode: 'thresholds' }, thresholds: { mode: 'absolute', steps } }
}
