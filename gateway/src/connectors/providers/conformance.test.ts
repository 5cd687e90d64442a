/** The connector of a provider passes the conformance suite of connectors. */
import { openProviderPeer } from '../../../test/connector-conformance/provider-peer.ts'
import { connectorConformance } from '../../../test/connector-conformance/suite.ts'

connectorConformance({ kind: 'conformance', open: openProviderPeer })
