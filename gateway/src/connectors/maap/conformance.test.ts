/** MaaP passes the conformance suite of connectors: at a carrier, and over the relay of KT. */
import { openMaapPeer, peerVariants } from '../../../test/connector-conformance/maap-peer.ts'
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'
import { rcsSubmission, smsBody } from '../../../test/support/maap.ts'

const { message, given, from, to } = rcsSubmission(smsBody)
const submission = { message, given, from, to }

for (const variant of peerVariants)
  connectorConformance({
    kind: variant.kind,
    open: (harness) => openMaapPeer(harness, variant),
    submission,
  })
