import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMetrics } from '../../src/platform/metrics.ts'
import { dashboards } from './dashboards.ts'

const root = join(import.meta.dirname, '../../..')
const alerts = readFileSync(join(root, 'deploy/alerts.yml'), 'utf8')
const alertTests = readFileSync(join(root, 'deploy/alerts.test.yml'), 'utf8')
const runbooks = 'docs/operations/runbooks.md'

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
/** Labels of every series: those of the project and those that Prometheus adds. */
const everywhere = ['cell', 'instance', 'job', 'le']

/** Returns the metrics of a text, without the suffixes of histogram series. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(postern|process|nodejs)_[a-z0-9_]+\b/g) ?? []
  return [
    ...new Set(names.map((name) => (exported.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')))),
  ]
}

/** Returns the labels that an expression selects or groups by. */
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
    assert.match(title, /\?$/, 'a panel title must be a question')
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

test('alerts use only existing metrics', () => {
  assert.ok(rules.length > 20)
  for (const { name, text } of rules)
    for (const metric of metricsIn(text)) assert.ok(exported.has(metric), `${name}: ${metric}`)
})

test('alerts and runbooks match one to one, by severity', () => {
  const page = readFileSync(join(root, runbooks), 'utf8')
  const entries = page.split(/^(?=##)/m).filter((entry) => entry.startsWith('### '))
  const byName = new Map(entries.map((entry) => [entry.slice(4, entry.indexOf('\n')), entry]))
  assert.deepEqual([...byName.keys()].sort(), rules.map(({ name }) => name).sort())
  for (const { name, text } of rules) {
    assert.ok(text.includes(`runbook_url: ${runbooks}#${name.toLowerCase()}\n`), name)
    const entry = byName.get(name)!
    for (const part of ['**Check.**', '**Do.**']) assert.ok(entry.includes(part), `${name}: ${part}`)
    const words = entry.split('\n').slice(1).join(' ').trim().split(/\s+/).length
    assert.ok(words <= 70, `${name} has ${words} words`)
    const severity = /severity: (\w+)/.exec(text)![1]!
    const heading = page
      .slice(0, page.indexOf(entry))
      .match(/^## \w+/gm)!
      .at(-1)!
    assert.equal(heading.slice(3).toLowerCase(), severity, name)
  }
})

test('promtool tests name every alert', () => {
  for (const { name } of rules) assert.ok(alertTests.includes(`alertname: ${name}\n`), name)
})

test('every alert that a panel names exists', () => {
  const known = new Set(rules.map(({ name }) => name))
  for (const { title, description } of panels)
    for (const [name] of description.matchAll(/\bPostern[A-Z]\w+/g))
      assert.ok(known.has(name), `${title}: ${name}`)
})
