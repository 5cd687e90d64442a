import assert from 'node:assert/strict'
import { createFormId } from '../../../../src/records/forms/form.ts'
import { makeJpeg } from '../../../support/files/images.ts'
import type { ConformanceResponse } from '../api.ts'
import { assertErrorFields, assertError, pollBatch } from '../api-assertions.ts'
import { omni, rcs, sends, sms } from '../request-bodies.ts'
import { findTestAccountId, insertBackdatedReports } from '../backdated-rows.ts'
import { prove } from '../prove.ts'
import { damagedClientId } from '../accounts.ts'
import { getAccountClient, sql } from '../installation.ts'
import { callAllEndpoints } from './envelope.ts'

prove('error.shape', async () => {
  const api = await getAccountClient('main')
  const refused = [
    ...Object.values(await callAllEndpoints('Bearer nonsense')),
    await api.post('/v1/send/rcs', rcs({ from: 1 })),
    await api.post('/v1/send/rcs', '{'),
    await api.upload('PAGER', { content: 'x' }),
    await api.get('/v1/nothing'),
  ]
  for (const { httpStatus, body } of refused) {
    assert.ok(httpStatus >= 400)
    assertErrorFields(body)
  }
  const { body } = await (await getAccountClient('plain')).post('/v1/send/rcs', rcs({ from: 1 }))
  assert.deepEqual(Object.keys(body), ['code', 'result'])
})

prove('error.A000', async () => {
  const api = await getAccountClient('main')
  const responses = { token: await api.requestToken(api.credentials), ...(await callAllEndpoints()) }
  for (const [name, { httpStatus, body }] of Object.entries(responses)) {
    // No batch exists to delete; polling.ts tests deletion.
    if (name.startsWith('DELETE')) continue
    assert.deepEqual([httpStatus, body.code, body.result], [200, 'A000', 'Success'], name)
  }
})

prove('error.A100', async () => {
  const api = await getAccountClient('main')
  const { clientId, password } = api.credentials
  for (const credentials of [
    { clientId, password: `${password}x` },
    { clientId: 'unknown-client', password },
  ]) {
    const response = await api.requestToken(credentials)
    assertError(response, 401, 'A100')
    assert.equal(response.body.result, 'Invalid authentication information')
  }
})

for (const name of Object.keys(sends)) {
  prove(`error.A010-${name}`, async () => {
    const api = await getAccountClient('main')
    for (const wrong of ['', '{', '{"from":', 'hello', "{'from':1}"]) {
      const response = await api.post(`/v1/send/${name}`, wrong)
      assertError(response, 400, 'A010')
      assert.equal(response.body.result, 'Cannot parse JSON')
    }
  })
}

prove('error.A802', async () => {
  const response = await (await getAccountClient('silent')).get('/v1/report/polling')
  assertError(response, 403, 'A802')
  assert.equal(response.body.result, 'No permission to Pull API')
})

function assertFault(response: ConformanceResponse): void {
  assertError(response, 500, 'A999')
  // Internal details belong in the log.
  assert.equal(response.body.result, 'Unknown error')
}

/** Makes every write to the rows of one account in a table fail. */
async function breakTable(table: string): Promise<void> {
  const accountId = await findTestAccountId('faulty')
  await sql(`
    create function break_${table}() returns trigger language plpgsql as $$
    begin
      if new.account_id = ${accountId} then raise exception 'broken by a test'; end if;
      return new;
    end $$;
    create trigger break_table before insert or update on ${table} for each row execute function break_${table}();`)
}

prove('error.A999-polling', async () => {
  const api = await getAccountClient('faulty')
  await insertBackdatedReports('faulty', 1)
  const { reportId } = await pollBatch(api)
  await breakTable('report_polls')
  assertFault(await api.delete(`/v1/report/polling/${reportId}`))
  // Redelivering a batch writes nothing, so the account must not have an open batch.
  await sql(`
    alter table report_polls disable trigger break_table;
    update report_polls set batch_id = null, batch_last_seq = null where account_id = ${await findTestAccountId('faulty')};
    alter table report_polls enable trigger break_table;`)
  assertFault(await api.get('/v1/report/polling'))
})

prove('error.A999-upload', async () => {
  await breakTable('files')
  const part = { fileName: 'a.jpg', content: makeJpeg(640, 480, 2_000) }
  assertFault(await (await getAccountClient('faulty')).upload('MMS', part))
})

prove('error.A999-inquiry', async () => {
  const [msgKey] = await insertBackdatedReports('damaged', 1)
  await sql(`update reports set sent_at = 'infinity' where msg_key = $1`, [msgKey])
  assertFault(await (await getAccountClient('damaged')).get(`/v1/report/inquiry/${msgKey}`))
})

for (const name of Object.keys(sends).filter((send) => send !== 'omni')) {
  prove(`error.A999-${name}`, async () => {
    // The lane of an advertisement does not depend on the account.
    const change = name === 'friendtalk' ? { adFlag: 'N' } : {}
    const body = { ...sends[name]!(), ...change }
    assertFault(await (await getAccountClient('damaged')).post(`/v1/send/${name}`, body))
  })
}

prove('error.A999-send', async () => {
  const formId = createFormId(new Date())
  await sql(
    `insert into forms (id, account_id, flow, expires_at) values ($1, $2, '[null]', now() + interval '1 day')`,
    [formId, await findTestAccountId('faulty')],
  )
  const api = await getAccountClient('faulty')
  assertFault(await api.post('/v1/send/omni', omni({ messageFlow: undefined, messageForm: formId })))
  assert.equal((await api.post('/v1/send/sms', sms())).body.code, 'A000')
})

prove('error.A999-token', async () => {
  const api = await getAccountClient('main')
  assertFault(await api.requestToken({ clientId: damagedClientId, password: 'any' }))
})
