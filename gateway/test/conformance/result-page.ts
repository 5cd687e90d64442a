/** The rows as a page: one table for each section, and what is not proven. Says nothing that varies from run to run. */
import type { Row, Unproven } from './row.ts'

export function toPage(
  rows: readonly Row[],
  proven: ReadonlySet<Row>,
  unproven: readonly Unproven[],
): string {
  const sections = Map.groupBy(rows, ({ section }) => section)
  const { all, good } = countRows(rows, proven)
  return [
    '# Conformance',
    '',
    'Every row of the tables of the API contract and every numbered rule, with the tests that prove it over real HTTP',
    'against a running gateway. Written by `npm run conformance`; do not edit. A test is found by its name in',
    '`gateway/test/conformance`.',
    '',
    `${all} rows, ${good} proven, ${all - good} failed, by ${rows.length} tests.`,
    '',
    ...[...sections].flatMap(([section, entries]) => [
      `## ${section}`,
      '',
      '| Row | Test | Result |',
      '| --- | --- | --- |',
      ...entries.map(
        (row, index) =>
          `| ${row.row === entries[index - 1]?.row ? '' : cell(row.row)} | \`${row.id}\`: ${cell(row.proof)} | ${proven.has(row) ? 'proven' : '**failed**'} |`,
      ),
      '',
    ]),
    '## Not proven',
    '',
    '| Section | Row | Why |',
    '| --- | --- | --- |',
    ...unproven.map(({ section, row, why }) => `| ${cell(section)} | ${cell(row)} | ${cell(why)} |`),
    '',
  ].join('\n')
}

/** A row is proven when all its tests have passed. */
export function countRows(
  rows: readonly Row[],
  proven: ReadonlySet<Row>,
): { readonly all: number; readonly good: number } {
  const groups = Map.groupBy(rows, ({ section, row }) => `${section} · ${row}`)
  const good = [...groups.values()].filter((entries) => entries.every((row) => proven.has(row)))
  return { all: groups.size, good: good.length }
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/[#{}<>*_]/g, (character) => `\\${character}`)
}
