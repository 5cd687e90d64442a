/** A carrier over HTTP passes the conformance suite of connectors. */
import { openHttpPeer } from '../../../test/connector-conformance/http-peer.ts'
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'

connectorConformance({ kind: 'http', open: openHttpPeer })
