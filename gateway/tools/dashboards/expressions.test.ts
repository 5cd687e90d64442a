/** Dashboards and alerts name only metrics and labels that the gateway exports, and every alert has its runbook. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMetrics } from '../../src/platform/metrics.ts'
import { dashboards } from './dashboards.ts'

const root = join(import.meta.dirname, '../../..')
const alerts = readFileSync(join(root, 'deploy/alerts.yml'), 'utf8')
const alertTests = readFileSync(join(root, 'deploy/alerts.test.yml'), 'utf8')
const runbooks = 'docs/operations/runbooks'

interface Exported {
  readonly name: string
  readonly labelNames: readonly string[]
}

const exported = new Map(
  (createMetrics('00').registry.getMetricsAsArray() as unknown as Exported[]).map(({ name, labelNames }) => [
    name,
    labelNames,
  ]),
)
/** Of every series: our own, and those that Prometheus adds. */
const everywhere = ['cell', 'instance', 'job', 'le']

/** Metrics of a text, without the endings of the series of a histogram. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(postern|process|nodejs)_[a-z0-9_]+\b/g) ?? []
  return [
    ...new Set(names.map((name) => (exported.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')))),
  ]
}

/** Labels that an expression selects or groups by. */
function labelsIn(expression: string): string[] {
  const grouped = [...expression.matchAll(/\b(?:by|on|without) \(([^)]*)\)/g)].flatMap(([, names]) =>
    names!.split(',').map((name) => name.trim()),
  )
  const selected = [...expression.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)].map(([, name]) => name!)
  return [...new Set([...grouped, ...selected])]
}

const panels = dashboards.flatMap(({ uid, panels: own }) => own.map((panel) => ({ uid, ...panel })))

for (const { uid, title, queries } of panels) {
  test(`${uid}: ${title}`, () => {
    assert.match(title, /\?$/, 'a panel answers a question')
    for (const { expr } of queries) {
      const metrics = metricsIn(expr)
      assert.ok(metrics.length > 0, expr)
      for (const name of metrics) assert.ok(exported.has(name), `the gateway does not export ${name}`)
      const known = new Set([...everywhere, ...metrics.flatMap((name) => exported.get(name)!)])
      for (const label of labelsIn(expr)) assert.ok(known.has(label), `${expr} has no label ${label}`)
    }
  })
}

test('dashboards differ in their ids and titles, and have few panels', () => {
  assert.equal(new Set(dashboards.map(({ uid }) => uid)).size, dashboards.length)
  for (const { panels: own, title } of dashboards) {
    assert.ok(own.length <= 16, title)
    assert.equal(new Set(own.map((panel) => panel.title)).size, own.length)
  }
})

const rules = alerts
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({ name: text.slice(0, text.indexOf('\n')), text }))

test('alerts name only metrics that exist', () => {
  assert.ok(rules.length > 20)
  for (const { name, text } of rules)
    for (const metric of metricsIn(text)) assert.ok(exported.has(metric), `${name}: ${metric}`)
})

test('every alert has a page of its own, and every page its alert', () => {
  const pages = readdirSync(join(root, runbooks)).filter((page) => page !== 'README.md')
  assert.deepEqual(pages.sort(), rules.map(({ name }) => `${name}.md`).sort())
  for (const { name, text } of rules) {
    assert.ok(text.includes(`runbook_url: ${runbooks}/${name}.md\n`), name)
    const page = readFileSync(join(root, runbooks, `${name}.md`), 'utf8')
    for (const section of [`# ${name}\n`, '**What it means.**', '**Look at**', '**Do**', '**It ends when**'])
      assert.ok(page.includes(section), `${name}: ${section}`)
    const severity = /severity: (\w+)/.exec(text)![1]!
    assert.ok(page.includes(`Severity: ${severity}.`), `${name} is ${severity}`)
  }
})

test('every alert is tested with promtool: when it fires, and when it does not yet', () => {
  for (const { name } of rules) assert.ok(alertTests.includes(`alertname: ${name}\n`), name)
})

test('the runbooks and panels that are named exist', () => {
  const known = new Set(rules.map(({ name }) => name))
  for (const { title, description } of panels)
    for (const [name] of description.matchAll(/\bPostern[A-Z]\w+/g))
      assert.ok(known.has(name), `${title}: ${name}`)
})
