/** Tests that A020 has Retry-After and that requests are accepted again after that time. */
import assert from 'node:assert/strict'
import { waitFor } from '../../../support/wait.ts'
import type { AccountName } from '../accounts.ts'
import type { ConformanceResponse, ConformanceClient } from '../api.ts'
import { assertError } from '../api-assertions.ts'
import { sends } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { getAccountClient } from '../installation.ts'

const burst = 30

function proveLimit(
  id: string,
  name: AccountName,
  request: (api: ConformanceClient) => Promise<ConformanceResponse>,
): void {
  prove(`error.A020-${id}`, async () => {
    const api = await getAccountClient(name)
    const responses = await Promise.all(Array.from({ length: burst }, () => request(api)))
    const refused = responses.filter(({ body }) => body.code === 'A020')
    assert.ok(refused.length > 0 && refused.length < burst, `${refused.length} of ${burst} refused`)
    for (const response of refused) {
      assertError(response, 429, 'A020')
      assert.equal(response.body.result, 'Rate limit exceeded')
      assert.notEqual(response.headers['ratelimit-reason'] ?? '', '')
      assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/)
      for (const header of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
        assert.match(String(response.headers[header]), /^\d+$/, header)
      }
    }
    await waitFor('requests to be accepted again', async () => (await request(api)).body.code !== 'A020', {
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
