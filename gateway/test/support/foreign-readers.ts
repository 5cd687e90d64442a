/** Parsers by other people, for `foreign-parsers.test.ts` of connectors. A test is skipped where they are not installed. */
import { existsSync } from 'node:fs'
import { foreignReaders } from '../../../scripts/services/foreign-readers.ts'

export { foreignReaders }

/** For the option `skip` of a test. */
export function skipWithout(reader: keyof typeof foreignReaders): string | false {
  return existsSync(foreignReaders[reader])
    ? false
    : 'not installed: run `npm run services -- install --tests`'
}
