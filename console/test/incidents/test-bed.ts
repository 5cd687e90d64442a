/** Causes an incident and performs its walks in a signed-in page. */
import type { Page } from 'playwright-core'
import type { ConsoleInstallation } from '../support/console-installation.ts'
import type { Incident } from './incident.ts'
import { Walk } from './walk.ts'

export interface Choice {
  /** Name of one walk; all by default. */
  readonly only?: string
  /** Receives every walk, including those that fail. */
  readonly keep?: (walk: Walk) => void
}

export async function goThrough(
  incident: Incident,
  gateway: ConsoleInstallation,
  page: Page,
  { only, keep = () => undefined }: Choice = {},
): Promise<readonly Walk[]> {
  const cleanups: (() => unknown)[] = []
  const walks: Walk[] = []
  try {
    const ways = await incident.prepare({ gateway, addCleanup: (end) => cleanups.push(end) })
    for (const [name, go] of Object.entries(ways)) {
      if (only !== undefined && name !== only) continue
      const walk = new Walk(page, name)
      keep(walk)
      await go(walk)
      walks.push(walk)
    }
    return walks
  } finally {
    for (const end of cleanups.reverse()) await end()
  }
}
