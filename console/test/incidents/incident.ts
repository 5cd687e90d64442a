/** An incident in a real installation and the way to its cause. */
import type { Page } from 'playwright-core'
import type { ConsoleInstallation, ConsoleOptions } from '../support/console-installation.ts'
import type { Walk } from './walk.ts'

export interface TestBed {
  readonly gateway: ConsoleInstallation
  /** Registers cleanup, which runs even if the cause is not found. */
  readonly addCleanup: (end: () => unknown) => void
}

export interface Incident {
  readonly name: string
  readonly options?: ConsoleOptions
  /** Causes the incident. Returns one or more ways of the operator to its cause; each starts at the first screen. */
  prepare(testBed: TestBed): Promise<Readonly<Record<string, (walk: Walk) => Promise<void>>>>
}

/** Returns the alarm with these words and its link. */
export function findAlarm(page: Page, words: string) {
  const alarm = page.locator('.alarm', { hasText: words }).first()
  return { alarm, open: alarm.getByRole('link') }
}
