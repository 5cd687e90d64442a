/** The connector to Kakao passes the conformance suite of connectors, with results by push and by polling. */
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'
import { openKakaoPeer } from '../../../test/connector-conformance/kakao-peer.ts'
import { alimtalk, flowSubmission } from '../../../test/support/kakao-messages.ts'

const { message, given, files, to } = flowSubmission('alimtalk', alimtalk)

for (const mode of ['push', 'polling'] as const)
  connectorConformance({
    kind: 'kakao',
    open: (harness) => openKakaoPeer(mode, harness),
    submission: { message, given, files, to },
  })
