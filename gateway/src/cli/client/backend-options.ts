/**
 * The options that choose between the admin API and the database. Every definition loads this file, so it
 * imports no command code.
 */
import { Option } from 'commander'
import { checked } from '../options.ts'
import { readProfileName } from './profile-name.ts'

export interface BackendOptions {
  readonly profile?: string
  readonly database?: true
}

/**
 * Returns the options. Commands without an operation also have them, hidden, so that an error can name the
 * supported backend.
 */
export function backendOptions(hasOperation: boolean): Option[] {
  const options = [
    checked('--profile <name>', 'use the admin API of this profile, see `postern login`', readProfileName),
    new Option('--database', 'use the database of POSTERN_DATABASE_URL'),
  ]
  return hasOperation ? options : options.map((option) => option.hideHelp())
}
