/** Provider with lookups by our reference. Test processes load this module with `--import` to register it. */
import { toConnectorKind } from '../../../src/carriers/connectors/providers/kit/define.ts'
import {
  accepted,
  apiUrl,
  at,
  defineProvider,
  getRequest,
  jsonRequest,
  standardOutcome,
  textAt,
} from '../../../src/carriers/connectors/providers/kit/index.ts'
import type { ConnectorKind } from '../../../src/carriers/connectors/options/kind.ts'
import { connectorKinds } from '../../../src/carriers/connectors/registry.ts'

const provider = defineProvider({
  name: 'by-reference',
  summary: 'A carrier of the test.',
  channels: ['sms'],
  sources: [],
  checked: '2026-11-18',
  account: { url: apiUrl('http://127.0.0.1') },
  example: {},
  login: ({ url }) => [url],
  send: ({ reference, to }, { account }) => jsonRequest(at(account.url)`/messages`, { reference, to }),
  parseResponse(response) {
    const id = textAt(response.json, 'id')
    return response.isSuccess && id !== '' ? accepted(id) : standardOutcome(response, { code: '', text: '' })
  },
  lookup: {
    by: 'reference',
    request: ({ reference }, { account }) => getRequest(at(account.url)`/messages/${reference}`),
    read: ({ status, json }) =>
      status === 404
        ? 'not-found'
        : { id: textAt(json, 'id'), result: 'delivered', code: 'DONE', recipient: textAt(json, 'to') },
  },
})

;(connectorKinds as Record<string, ConnectorKind>)[provider.name] = toConnectorKind(provider)
