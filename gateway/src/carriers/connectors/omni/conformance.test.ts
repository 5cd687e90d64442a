import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'
import { openOmniPeer } from '../../../../test/contract/connector-conformance/omni-peer.ts'

runConnectorConformance({
  kind: 'omni',
  open: openOmniPeer,
  without: { 'intermediate notice': 'the API reports final results only' },
})
