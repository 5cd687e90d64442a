import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mm7Options, mmsSubmission } from '../../../../test/support/carriers/mm7.ts'
import { recorded } from '../../../../test/support/smpp/fixtures.ts'
import type { Connector, ConnectorContext } from '../connector.ts'
import { createConnector } from '../registry.ts'

const mms = mmsSubmission({ from: '0212345678', to: '01012345678', text: 'x', fileKey: ['K'] })

function start(openFile: ConnectorContext['openFile']): Connector {
  const options = mm7Options({ dialect: 'lgu', stopTimeoutMs: 50 })
  const connector = createConnector('mm7', options, { ...recorded().context, openFile })
  connector.start()
  return connector
}

test('a stop does not wait for a file', { timeout: 5_000 }, async () => {
  const connector = start(() => new Promise(() => undefined))
  void connector.submit(mms)
  await connector.stop(0)
})

test('an error of the store leaves the message unsent', async () => {
  const connector = start(() => {
    throw new Error('any error of a dependency')
  })
  const { kind } = await connector.submit(mms)
  assert.equal(kind, 'unreachable')
  await connector.stop(0)
})
