/** A020: an account that exceeds its rate gets the code and Retry-After, and is accepted again after it. */
import assert from 'node:assert/strict'
import { waitFor } from '../../support/wait.ts'
import type { AccountName } from '../accounts.ts'
import type { Answer, Api } from '../api.ts'
import { checkRefusal } from '../api-assertions.ts'
import { sends } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { account } from '../installation.ts'

const burst = 30

function proveLimit(id: string, name: AccountName, ask: (api: Api) => Promise<Answer>): void {
  prove(`error.A020-${id}`, async () => {
    const api = await account(name)
    const answers = await Promise.all(Array.from({ length: burst }, () => ask(api)))
    const refused = answers.filter(({ body }) => body.code === 'A020')
    assert.ok(refused.length > 0 && refused.length < burst, `${refused.length} of ${burst} refused`)
    for (const answer of refused) {
      checkRefusal(answer, 429, 'A020')
      assert.equal(answer.body.result, 'Rate limit exceeded')
      assert.notEqual(answer.headers['ratelimit-reason'] ?? '', '')
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
      for (const header of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
        assert.match(String(answer.headers[header]), /^\d+$/, header)
      }
    }
    await waitFor('being let in again', async () => (await ask(api)).body.code !== 'A020', {
      timeoutMs: 10_000,
      everyMs: 500,
    })
  })
}

proveLimit('polling', 'limited-polling', (api) => api.get('/v1/report/polling'))
proveLimit('delete', 'limited-delete', (api) => api.delete('/v1/report/polling/20260101000000000AAAAAAAAAAA'))
for (const [name, body] of Object.entries(sends)) {
  proveLimit(name, `limited-${name}` as AccountName, (api) => api.post(`/v1/send/${name}`, body()))
}
