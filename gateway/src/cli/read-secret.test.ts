/** What an operator types on a terminal is read and not shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../test/support/http/both-ways.ts'
import { temporaryFolder } from '../../test/support/files/test-bed.ts'
import { typeInto } from '../../test/support/processes/typed-command.ts'

const { adminUrl, keys } = await startBothWays()
const environment = {
  POSTERN_DATABASE_URL: '',
  POSTERN_ADMIN_URL: '',
  POSTERN_OPERATOR_KEY: '',
  XDG_CONFIG_HOME: await temporaryFolder(),
}

test('the key of a sign-in', async () => {
  const typed = [['Operator key: ', keys.viewer]] as const
  const { exitCode, screen } = await typeInto(environment, typed, 'login', '--url', adminUrl)
  assert.equal(exitCode, 0, screen)
  assert.match(screen, /operator +viewer/)
  assert.ok(!screen.includes(keys.viewer))
})

test('a password, which must be typed twice', async () => {
  const withKey = { ...environment, POSTERN_ADMIN_URL: adminUrl, POSTERN_OPERATOR_KEY: keys.support }
  const type = (first: string, second: string) => {
    const typed = [
      ['New password of support: ', first],
      ['Again: ', second],
    ] as const
    return typeInto(withKey, typed, 'operator', 'password', 'support')
  }
  const different = await type('a long enough one', 'a long enough two')
  assert.equal(different.exitCode, 1)
  assert.match(different.screen, /the passwords do not match/)
  const same = await type('a long enough one', 'a long enough one')
  assert.equal(same.exitCode, 0, same.screen)
  assert.match(same.screen, /set; your sessions have ended/)
  for (const { screen } of [different, same]) assert.doesNotMatch(screen, /long enough/)
})
