import { openRbmPeer } from '../../../../test/contract/connector-conformance/rbm-peer.ts'
import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'
import { rcsSubmission } from '../../../../test/support/carriers/rbm.ts'

const { message, given, from, to } = rcsSubmission({
  from: '15881234',
  to: '01012345678',
  formatId: 'SS000000',
  brandKey: 'BK.acme',
  content: { standalone: { text: '안녕하세요' } },
})

runConnectorConformance({ kind: 'rbm', open: openRbmPeer, submission: { message, given, from, to } })
