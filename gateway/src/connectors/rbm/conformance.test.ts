/** RBM passes the conformance suite of connectors. */
import { openRbmPeer } from '../../../test/connector-conformance/rbm-peer.ts'
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'
import { rcsSubmission } from '../../../test/support/rbm.ts'

const { message, given, from, to } = rcsSubmission({
  ...{ from: '15881234', to: '01012345678', formatId: 'SS000000', brandKey: 'BK.acme' },
  content: { standalone: { text: '안녕하세요' } },
})

connectorConformance({ kind: 'rbm', open: openRbmPeer, submission: { message, given, from, to } })
