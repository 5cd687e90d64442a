/** All suites of the project. `npm run suite` prints this table and runs a suite by its name; `.ci/run` runs those marked with `ci`. */

export interface Suite {
  readonly name: string
  /** What a run that succeeds has shown. */
  readonly proves: string
  /** Durations on a machine with two cores. */
  readonly takes: string
  /** What must be installed besides the engines. */
  readonly needs?: string
  /** Whether `.ci/run` runs the suite, or its short form. */
  readonly ci?: 'full' | 'short'
  /** `fast` engines do not flush to the disk: for suites that are not about durability. */
  readonly engines?: 'durable' | 'fast'
  /** Arguments of Node.js. The arguments of the user follow. */
  readonly run: readonly string[]
  /** The suite tests the built console. */
  readonly buildsConsole?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

const test = 'gateway/test'
const installTests = '`npm run engines -- install --tests`'

export const suites: readonly Suite[] = [
  {
    name: 'e2e',
    proves: 'messages of every channel and protocol, flows and rules end in exactly one correct outcome',
    takes: '1 min',
    needs: `faketime (${installTests})`,
    ci: 'full',
    engines: 'fast',
    run: [`${test}/e2e/run.ts`],
  },
  {
    name: 'conformance',
    proves: 'every row of the API contract holds over HTTP',
    takes: '25 s',
    ci: 'full',
    engines: 'fast',
    run: [`${test}/contract/conformance/run.ts`],
  },
  {
    name: 'first-day',
    proves: 'the first requests of a client, from five HTTP clients, succeed on a new installation',
    takes: '12 s',
    needs: 'curl, Python requests',
    ci: 'full',
    engines: 'fast',
    run: [`${test}/contract/first-day/run.ts`],
  },
  {
    name: 'interop',
    proves: 'published SDKs of the service work unchanged',
    takes: '1 min',
    engines: 'durable',
    run: [`${test}/contract/interop/run.ts`],
  },
  {
    name: 'clients:generated',
    proves:
      'clients generated from the OpenAPI document for Python, Go and Java send, read reports and receive webhooks',
    takes: '5 min',
    needs: 'Python 3, Go, a JDK',
    engines: 'durable',
    run: [`${test}/contract/interop/generated/run.ts`],
  },
  {
    name: 'client:test',
    proves: 'the published TypeScript client works on Node.js 20 and 24, Deno, Bun and workerd',
    takes: '2 min',
    engines: 'durable',
    run: ['--disable-warning=ExperimentalWarning', 'client/test/run.ts'],
  },
  {
    name: 'providers',
    proves: 'every provider with a simulator sends, reports and fails as documented',
    takes: '1 min',
    run: [`${test}/contract/providers/run.ts`],
    environment: { POSTERN_ROUTE_NETWORKS: '127.0.0.0/8' },
  },
  {
    name: 'peers',
    proves: 'the SMPP client and server work with Kannel, Jasmin and eight third-party libraries',
    takes: '5 min',
    needs: 'Maven, Java 17, Go, Python 3; --install for Debian packages',
    engines: 'durable',
    run: [`${test}/foreign/peers/run.ts`],
  },
  {
    name: 'chaos',
    proves: 'nothing is lost or sent twice while processes, engines, networks and clocks fail',
    takes: '15 min, --short 80 s',
    needs: 'prometheus; Go once, for Toxiproxy',
    ci: 'short',
    run: [`${test}/faults/chaos/start.ts`],
  },
  {
    name: 'batches',
    proves:
      'each of a million lines ends in one state, also while workers are killed; pause and cancel stop submissions; 200 campaigns keep their speed',
    takes: '60 min, --short 20 s',
    ci: 'short',
    engines: 'durable',
    run: [`${test}/faults/batches/run.ts`],
  },
  {
    name: 'chain',
    proves: '50,000 messages through two installations have one report each while every process is killed',
    takes: '10 min, --short 2 min',
    engines: 'durable',
    run: [`${test}/faults/chain/run.ts`],
  },
  {
    name: 'lookups',
    proves: 'lost responses and receipts are found at the carrier, and nothing is sent twice',
    takes: '5 min, --lost 40 --ttl 40 1 min',
    engines: 'durable',
    run: [`${test}/faults/lookups/run.ts`],
  },
  {
    name: 'cells',
    proves: 'a cell that is killed with its engines fails nothing in another cell behind the same address',
    takes: '10 min, --short 3 min',
    needs: `HAProxy (${installTests})`,
    engines: 'durable',
    run: [`${test}/faults/cells/run.ts`],
  },
  {
    name: 'upgrade',
    proves: 'messages of the previous version in every state end once after an upgrade',
    takes: '3 min',
    needs: 'the history of git',
    engines: 'durable',
    run: [`${test}/faults/upgrade/run.ts`],
  },
  {
    name: 'upgrade:rolling',
    proves: 'processes of two versions side by side fail no send and lose nothing',
    takes: '2 min',
    needs: 'the history of git',
    engines: 'durable',
    run: [`${test}/load/rolling/rolling-upgrade.ts`],
  },
  {
    name: 'rolling',
    proves: 'every process restarts under load and no send fails',
    takes: '2 min',
    engines: 'durable',
    run: [`${test}/load/rolling/rolling.ts`],
  },
  {
    name: 'fairness',
    proves: 'the flood of one account delays no other; --receipts floods with receipts',
    takes: '4 min, --short 1 min',
    engines: 'durable',
    run: [`${test}/load/fairness/fairness.ts`],
  },
  {
    name: 'fairness:backlog',
    proves: 'a million waiting messages of one account delay no other; shares follow the weights',
    takes: '5 min',
    engines: 'durable',
    run: [`${test}/load/fairness/fairness-backlog.ts`],
  },
  {
    name: 'idle',
    proves: '500 idle routes and 10,000 idle accounts cost next to nothing; --polls measures empty polls',
    takes: '4 min',
    engines: 'durable',
    run: [`${test}/load/idle/idle.ts`],
  },
  {
    name: 'scheduled',
    proves: 'a million scheduled messages cost nothing, and due codes leave before due advertisements',
    takes: '3 min',
    engines: 'durable',
    run: [`${test}/load/scheduled/scheduled.ts`],
  },
  {
    name: 'overload',
    proves: 'the pipeline recovers from more load than it carries and from a full disk of the broker',
    takes: '10 min, --short 1 min',
    engines: 'durable',
    run: [`${test}/load/overload/overload.ts`],
  },
  {
    name: 'soak',
    proves: 'no process grows in memory or file descriptors under a steady load',
    takes: '30 min',
    engines: 'durable',
    run: [`${test}/load/growth/soak.ts`],
  },
  {
    name: 'growth',
    proves: 'memory, queues, tables and indexes stay flat over many days',
    takes: '60 min, --short 90 s',
    needs: `faketime (${installTests})`,
    engines: 'durable',
    run: [`${test}/load/growth/growth.ts`],
  },
  {
    name: 'webhooks:load',
    proves: 'dead and slow receivers do not delay healthy ones, and every report is accounted for',
    takes: '2 min',
    needs: 'Python 3',
    engines: 'durable',
    run: [`${test}/load/webhooks/run.ts`],
  },
  {
    name: 'smpp-server:load',
    proves:
      'every submission answered with status 0 has a receipt, although one of two SMPP servers is killed',
    takes: '2 min',
    engines: 'durable',
    run: [`${test}/load/smpp-server/load.ts`],
  },
  {
    name: 'admin:size',
    proves:
      'the admin API answers every screen within 300 ms (p99) with a million messages stored, under load',
    takes: '5 min',
    engines: 'durable',
    run: [`${test}/load/admin/size.ts`],
  },
  {
    name: 'erasure',
    proves: 'erasing a recipient among ten million messages takes less than 5 s (p99)',
    takes: '25 min',
    engines: 'durable',
    run: [`${test}/load/admin/erasure.ts`],
  },
  {
    name: 'reports:size',
    proves: 'polling stays fast with a million reports waiting',
    takes: '1 min',
    engines: 'durable',
    run: [`${test}/load/reports/run-size.ts`],
  },
  {
    name: 'reports:model',
    proves: '100,000 interleavings of report writers, pollers, acknowledgements and crashes lose nothing',
    takes: '2 min',
    engines: 'durable',
    run: [`${test}/model/reports/run-model.ts`],
  },
  {
    name: 'trust:property',
    proves:
      '100,000 random histories: only what a plain statement of the trust rules allows is accepted and submitted',
    takes: '5 min, --cases 2000 10 s',
    ci: 'short',
    run: [`${test}/model/trust/run-property.ts`],
  },
  {
    name: 'fuzz:bodies',
    proves:
      'thousands of generated request bodies: responses keep the contract, accepted messages are stored as sent',
    takes: '40 s',
    ci: 'short',
    engines: 'fast',
    run: [`${test}/fuzz/bodies/run.ts`],
  },
  {
    name: 'fuzz:api',
    proves: '20,000 requests of schemathesis: every response matches the OpenAPI document',
    takes: '15 min',
    needs: 'Python 3.10',
    engines: 'durable',
    run: [`${test}/fuzz/api/run.ts`],
  },
  {
    name: 'fuzz:carriers',
    proves: 'a million random inputs for each parser of carrier data: no crash, no hang, bounded memory',
    takes: 'hours, --runs N',
    run: [`${test}/fuzz/carriers/run.ts`],
  },
  {
    name: 'fuzz:smpp',
    proves: 'random inputs for the SMPP parsers: no crash, no hang, bounded memory',
    takes: '10 min',
    run: [`${test}/fuzz/carriers/run.ts`, '--only', 'smpp', '--section', 'fuzz-smpp'],
  },
  {
    name: 'security',
    proves: 'attacks on real processes fail; a name runs one attack',
    takes: '5 min, --short 100 s',
    ci: 'short',
    engines: 'fast',
    run: [`${test}/security/run.ts`],
  },
  {
    name: 'canaries',
    proves:
      'no known number, text or secret is found in the database, broker, Redis or logs, also after an erasure',
    takes: '20 s',
    engines: 'durable',
    run: [`${test}/security/canaries.ts`],
  },
  {
    name: 'slow',
    proves:
      'S3, failover of a PostgreSQL pair, a disk alarm of RabbitMQ, idempotency over processes, webhooks',
    takes: '10 min',
    needs: 'Go once, for the S3 server',
    engines: 'durable',
    run: ['--test', `${test}/slow/*.test.ts`, `${test}/load/webhooks/*.test.ts`],
  },
  {
    name: 'console:test',
    proves: 'the screens of the console work in a browser',
    takes: '2 min',
    needs: `Chromium (${installTests})`,
    ci: 'full',
    engines: 'fast',
    buildsConsole: true,
    run: ['console/test/run.ts'],
  },
  {
    name: 'console:shots',
    proves: 'takes the pictures of the documentation, in both themes',
    takes: '2 min',
    engines: 'durable',
    buildsConsole: true,
    run: ['console/test/shots.ts'],
  },
  {
    name: 'console:incidents',
    proves: 'the console answers the questions of an operator during real incidents',
    takes: '3 min',
    engines: 'durable',
    buildsConsole: true,
    run: ['console/test/incidents/run.ts'],
  },
  {
    name: 'dashboards',
    proves: 'every expression of dashboards and alerts evaluates in a real Prometheus',
    takes: '45 s',
    needs: 'prometheus',
    engines: 'durable',
    run: [`${test}/load/observability/evaluate.ts`],
  },
  {
    name: 'guides',
    proves: 'every command of README and guides prints what the page says, and its link shows the message',
    takes: '10 min, --short 90 s',
    needs: `npm, Chromium, PHP, Maven (${installTests})`,
    ci: 'short',
    engines: 'fast',
    run: ['tools/docs/guides.ts'],
  },
  {
    name: 'deployments',
    proves:
      'an installation as the pages describe it, with their commands, sends, survives faults and attacks, upgrades and is restored',
    takes: '40 min, --short 10 min',
    needs: `root, or Docker with Compose; Go once, for Compose; Chromium (${installTests})`,
    run: ['tools/deploy/deployments.ts'],
  },
  {
    name: 'deploy',
    proves: 'Containerfile, units and chart are valid for the programs that read them',
    takes: '2 min',
    needs: 'root; Go once, for Helm',
    run: ['tools/deploy/deploy-check.ts'],
  },
  {
    name: 'artefacts',
    proves: 'npm packages and .deb send a first message without the repository',
    takes: '5 min',
    needs: 'root; Go once, for nfpm',
    engines: 'durable',
    run: ['tools/release/artefacts.ts'],
  },
  {
    name: 'matrix',
    proves: 'e2e, chaos and a short bench pass on the engines of several Debian releases',
    takes: '45 min',
    needs: 'root, mmdebstrap',
    run: ['tools/matrix/matrix.ts'],
  },
  {
    name: 'bench',
    proves: 'what a message costs compared with bare engines',
    takes: '4 min',
    run: ['bench/start.ts'],
  },
  {
    name: 'cost',
    proves:
      'a message and an idle installation cost no more than their limits; --spread N measures the spread',
    takes: '2 min, --counts 40 s',
    ci: 'short',
    engines: 'fast',
    run: ['bench/cost/main.ts'],
  },
  {
    name: 'rates',
    proves: 'each kind of connector carries at least 1,000 messages per second',
    takes: '3 min',
    run: ['bench/rates/main.ts'],
  },
  {
    name: 'smpp:rate',
    proves: 'one SMPP session carries at least 8,000 parts per second',
    takes: '75 s',
    run: ['bench/smpp-rate/main.ts'],
  },
  {
    name: 'capacity',
    proves: 'the capacity model predicts the CPU of a load that it was not fitted to (--check)',
    takes: '1 min',
    run: ['bench/capacity/start.ts'],
  },
]
