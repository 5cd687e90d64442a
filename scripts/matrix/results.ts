/** The suites of the matrix, and what is kept of a run. */
import { releases, type Release } from '../services/releases.ts'

export interface Suite {
  readonly command: readonly [string, ...string[]]
  readonly shows: string
}

/** A bench so short says whether the pipeline is as fast as usual, not how fast it is. */
export const suites = {
  e2e: { command: ['npm', 'run', 'e2e'], shows: 'every channel over every protocol, one outcome each' },
  chaos: {
    command: ['npm', 'run', 'chaos', '--', '--short'],
    shows: 'nothing is lost or sent twice while processes and engines are killed',
  },
  bench: {
    command: ['npm', 'run', 'bench', '--', '--rounds', '2', '--messages', '5000', '--seconds', '2', '--json'],
    shows: 'messages a second, beside the bare engines in the same run',
  },
} satisfies Record<string, Suite>

export type SuiteName = keyof typeof suites

export function isSuite(name: string): name is SuiteName {
  return Object.hasOwn(suites, name)
}

export function isRelease(name: string): name is Release {
  return (releases as readonly string[]).includes(name)
}

export interface Outcome {
  readonly release: Release
  readonly suite: SuiteName
  readonly passed: boolean
  readonly seconds: number
  /** Of the engines, by name. */
  readonly versions: Readonly<Record<string, string>>
  readonly on: string
  readonly revision: string
  readonly figures?: string
  /** Written by hand: what is known about a failure. */
  readonly note?: string
}
