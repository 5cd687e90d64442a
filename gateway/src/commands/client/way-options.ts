/** The options that choose between the admin API and the database. Loaded with every definition: it imports no command code. */
import { Option } from 'commander'
import { checked } from '../options.ts'
import { readProfileName } from './profile-name.ts'

export interface WayOptions {
  readonly profile?: string
  readonly database?: true
}

/** Commands without an operation have them too, to say plainly which way works. */
export function wayOptions(hasOperation: boolean): Option[] {
  const options = [
    checked('--profile <name>', 'use the admin API of this profile, see `postern login`', readProfileName),
    new Option('--database', 'use the database of POSTERN_DATABASE_URL'),
  ]
  return hasOperation ? options : options.map((option) => option.hideHelp())
}
