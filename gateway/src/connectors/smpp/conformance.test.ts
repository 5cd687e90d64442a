/** SMPP passes the conformance suite of connectors. */
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'
import { openSmppPeer } from '../../../test/connector-conformance/smpp-peer.ts'

connectorConformance({ kind: 'smpp', open: openSmppPeer })
