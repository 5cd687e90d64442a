import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'
import { openKakaoPeer } from '../../../../test/contract/connector-conformance/kakao-peer.ts'
import { alimtalk, flowSubmission } from '../../../../test/support/carriers/kakao-messages.ts'

const { message, given, files, to } = flowSubmission('alimtalk', alimtalk)

runConnectorConformance({
  kind: 'kakao',
  open: () => openKakaoPeer('polling'),
  submission: { message, given, files, to },
})
