/** An incident that is prepared in a real installation, and the way to its cause. */
import type { Page } from 'playwright-core'
import type { ConsoleInstallation, ConsoleOptions } from '../support/console-installation.ts'
import type { Walk } from './walk.ts'

export interface Stage {
  readonly gateway: ConsoleInstallation
  /** Ends what the incident began, also when it is not found. */
  readonly atEnd: (end: () => unknown) => void
}

export interface Incident {
  readonly name: string
  readonly options?: ConsoleOptions
  /** Makes it happen. Returns what the operator does, one way or several; each begins at the first screen. */
  prepare(stage: Stage): Promise<Readonly<Record<string, (walk: Walk) => Promise<void>>>>
}

/** The alarm with these words, and its link. */
export function alarmOf(page: Page, words: string) {
  const alarm = page.locator('.alarm', { hasText: words }).first()
  return { alarm, open: alarm.getByRole('link') }
}
