/** Third-party parsers for tests of connectors. A test is skipped if they are not installed. */
import { existsSync } from 'node:fs'
import { thirdPartyParsers } from '../../../../tools/engines/install/third-party-parsers.ts'

export { thirdPartyParsers }

/** Value of the `skip` option of a test. */
export function skipWithout(reader: keyof typeof thirdPartyParsers): string | false {
  return existsSync(thirdPartyParsers[reader])
    ? false
    : 'not installed: run `npm run engines -- install --tests`'
}
