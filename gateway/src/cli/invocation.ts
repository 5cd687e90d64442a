/**
 * One run of a command: its name and access, and the options --by and --reason. It loads only the base settings
 * and those that the command's definition names, so that a command needs no secret that it does not use.
 */
import type { AuditedRun } from '../operations/audit-recorder.ts'
import { loadSettings, type Config } from '../platform/settings/config.ts'
import type { Access } from './access.ts'
import type { AuditOptions } from './shell-context.ts'
import { baseSettings, type BaseSetting } from './setting-lists.ts'

export interface Invocation<Key extends keyof Config = never> extends AuditedRun {
  readonly access: Access
  readonly options: AuditOptions
  loadSettings(): Pick<Config, Key | BaseSetting>
}

export function createInvocation<Key extends keyof Config>(
  command: string,
  access: Access,
  options: AuditOptions,
  settings: readonly Key[],
): Invocation<Key> {
  const keys = [...new Set<Key | BaseSetting>([...baseSettings, ...settings])]
  return { command, access, options, audited: false, loadSettings: () => loadSettings(keys) }
}
