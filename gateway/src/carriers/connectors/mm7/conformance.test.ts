import { openMm7Peer, peerDialects } from '../../../../test/contract/connector-conformance/mm7-peer.ts'
import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'
import { mmsSubmission } from '../../../../test/support/carriers/mm7.ts'

const { message, given, from, to } = mmsSubmission({
  from: '0212345678',
  to: '01012345678',
  title: '제목',
  text: '안녕하세요',
})
const submission = { message, given, from, to }

for (const dialect of Object.values(peerDialects))
  runConnectorConformance({ kind: 'mm7', open: (harness) => openMm7Peer(harness, dialect), submission })
