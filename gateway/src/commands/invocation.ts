/**
 * One run of a command: what its definition declares, and the options that say who runs it and why. Made by `define.ts`. It
 * loads only the settings that the definition names, so that a command is not asked for a secret that it does not use.
 */
import type { AuditedRun } from '../acts/act-audit.ts'
import { loadSettings, type Config } from '../platform/config.ts'
import type { Access } from './access.ts'
import type { ActOptions } from './act.ts'
import { baseSettings, type BaseSetting } from './setting-lists.ts'

export interface Invocation<Key extends keyof Config = never> extends AuditedRun {
  readonly access: Access
  readonly options: ActOptions
  loadSettings(): Pick<Config, Key | BaseSetting>
}

export function createInvocation<Key extends keyof Config>(
  command: string,
  access: Access,
  options: ActOptions,
  settings: readonly Key[],
): Invocation<Key> {
  const keys = [...new Set<Key | BaseSetting>([...baseSettings, ...settings])]
  return { command, access, options, audited: false, loadSettings: () => loadSettings(keys) }
}
