/** Results of peers, as the tables of docs/peers.md. Pure. */

export type Result = 'passed' | 'failed' | 'skipped' | 'not installed'

export interface PeerResults {
  readonly name: string
  readonly version: string
  /** By case. */
  readonly results: ReadonlyMap<string, Result>
}

const marks: Readonly<Record<Result, string>> = {
  passed: '✓',
  failed: '**no**',
  skipped: '–',
  'not installed': 'not installed',
}

export function toMarkdown(cases: readonly string[], peers: readonly PeerResults[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    row(['Case', ...peers.map(({ name, version }) => `${name} ${version}`)]),
    row(['---', ...peers.map(() => '---')]),
    ...cases.map((name) =>
      row([name, ...peers.map(({ results }) => marks[results.get(name) ?? 'not installed'])]),
    ),
  ].join('\n')
}

export function countResults(peers: readonly PeerResults[]): {
  readonly passed: number
  readonly failed: number
} {
  const all = peers.flatMap(({ results }) => [...results.values()])
  const count = (result: Result): number => all.filter((one) => one === result).length
  return { passed: count('passed'), failed: count('failed') }
}
