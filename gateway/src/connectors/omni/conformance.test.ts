/** The connector to a service with the same API passes the conformance suite of connectors. */
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'
import { openOmniPeer } from '../../../test/connector-conformance/omni-peer.ts'

connectorConformance({
  kind: 'omni',
  open: openOmniPeer,
  without: { 'intermediate notice': 'the API reports final results only' },
})
