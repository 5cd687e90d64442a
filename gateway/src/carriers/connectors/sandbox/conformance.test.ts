import type { CarrierPeer } from '../../../../test/contract/connector-conformance/peer.ts'
import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'

const noCarrier = 'it has no carrier'
const noConnection = 'it has no connection'
const ownReceipts = 'it makes its own receipts'

const nothing: CarrierPeer = {
  options: {},
  setBehaviour: () => undefined,
  received: [],
  sendReceipt: () => Promise.resolve(true),
  refuseConnections: () => Promise.resolve(),
  freeze: () => undefined,
  resume: () => Promise.resolve(),
  rotateCredentials: () => ({}),
  hostileResponses: {},
  close: () => Promise.resolve(),
}

runConnectorConformance({
  kind: 'sandbox',
  open: () => Promise.resolve(nothing),
  without: {
    accepted: noCarrier,
    throttled: noCarrier,
    refused: noCarrier,
    'temporary failure': noCarrier,
    unreachable: noConnection,
    'no answer': noCarrier,
    'connection lost': noConnection,
    'half-open connection': noConnection,
    window: noCarrier,
    receipt: ownReceipts,
    'receipt that cannot be stored': ownReceipts,
    'early receipt': ownReceipts,
    'late receipt': ownReceipts,
    'duplicated receipt': ownReceipts,
    'intermediate notice': ownReceipts,
    'stop while frozen': noConnection,
    'hostile answers': noCarrier,
  },
})
