import { openProviderPeer } from '../../../../test/contract/connector-conformance/provider-peer.ts'
import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'

runConnectorConformance({ kind: 'conformance', open: openProviderPeer })
