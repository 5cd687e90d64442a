import { openMaapPeer, peerVariants } from '../../../../test/contract/connector-conformance/maap-peer.ts'
import { runConnectorConformance } from '../../../../test/contract/connector-conformance/suite.ts'
import { rcsSubmission, smsBody } from '../../../../test/support/carriers/maap.ts'

const { message, given, from, to } = rcsSubmission(smsBody)
const submission = { message, given, from, to }

for (const variant of peerVariants)
  runConnectorConformance({
    kind: variant.kind,
    open: (harness) => openMaapPeer(harness, variant),
    submission,
  })
