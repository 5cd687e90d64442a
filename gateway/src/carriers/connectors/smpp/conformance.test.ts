import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'
import { openSmppPeer } from '../../../../test/contract/connector-conformance/smpp-peer.ts'

runConnectorConformance({ kind: 'smpp', open: openSmppPeer })
