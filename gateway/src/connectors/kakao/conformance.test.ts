/** The connector to Kakao passes the conformance suite of connectors, with polled results. */
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'
import { openKakaoPeer } from '../../../test/connector-conformance/kakao-peer.ts'
import { alimtalk, flowSubmission } from '../../../test/support/kakao-messages.ts'

const { message, given, files, to } = flowSubmission('alimtalk', alimtalk)

connectorConformance({
  kind: 'kakao',
  open: () => openKakaoPeer('polling'),
  submission: { message, given, files, to },
})
