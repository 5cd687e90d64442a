/** The suites of the matrix, and the stored result of a run. */
import { releases, type EngineRelease } from '../engines/releases.ts'

export interface Suite {
  readonly command: readonly [string, ...string[]]
  readonly shows: string
}

/** The short bench detects a slower pipeline; it does not measure its speed. */
export const suites = {
  e2e: { command: ['npm', 'run', 'e2e'], shows: 'every channel over every protocol, one outcome each' },
  chaos: {
    command: ['npm', 'run', 'suite', '--', 'chaos', '--short'],
    shows: 'nothing is lost or sent twice while processes and engines are killed',
  },
  bench: {
    command: [
      'npm',
      'run',
      'suite',
      '--',
      'bench',
      '--rounds',
      '2',
      '--messages',
      '5000',
      '--seconds',
      '2',
      '--json',
    ],
    shows: 'messages per second, next to the bare engines in the same run',
  },
} satisfies Record<string, Suite>

export type SuiteName = keyof typeof suites

export function isSuite(name: string): name is SuiteName {
  return Object.hasOwn(suites, name)
}

export function isRelease(name: string): name is EngineRelease {
  return (releases as readonly string[]).includes(name)
}

export interface MatrixResult {
  readonly release: EngineRelease
  readonly suite: SuiteName
  readonly passed: boolean
  readonly seconds: number
  /** Versions of the engines by name. */
  readonly versions: Readonly<Record<string, string>>
  readonly on: string
  readonly revision: string
  readonly figures?: string
  /** Explains a failure; written by hand. */
  readonly note?: string
}
