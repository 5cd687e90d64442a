/** Formats results of peers as the lists of docs/evidence/peers.md. */

export type Result = 'passed' | 'failed' | 'skipped' | 'not installed'

export interface PeerResults {
  readonly name: string
  readonly version: string
  /** Results by case. */
  readonly results: ReadonlyMap<string, Result>
}

/** Returns a list item per peer: how many cases passed, and which did not. */
export function toMarkdown(cases: readonly string[], peers: readonly PeerResults[]): string {
  const rows = peers.map(({ name, version, results }) => {
    const find = (result: Result): string[] =>
      cases.filter((one) => (results.get(one) ?? 'not installed') === result)
    const others = (['failed', 'skipped', 'not installed'] as const).flatMap((result) => {
      const found = find(result)
      return found.length === 0 ? [] : [`${result}: ${found.join(', ')}`]
    })
    const passed = `${find('passed').length} of ${cases.length} passed`
    return `- ${name} ${version}: ${[passed, ...others].join('; ')}`
  })
  return rows.join('\n')
}

export function countResults(peers: readonly PeerResults[]): {
  readonly passed: number
  readonly failed: number
} {
  const given = peers.flatMap(({ results }) => [...results.values()])
  const count = (result: Result): number => given.filter((one) => one === result).length
  return { passed: count('passed'), failed: count('failed') }
}
