/**
 * Checks the Helm chart: lints it, renders it with several values, and validates every object against the
 * Kubernetes API. Checks the environment and secrets of each process, and that wrong values are rejected.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'
import { splitDocuments } from './cluster-objects.ts'
import { goTool } from '../engines/go-tool.ts'
import { kubernetesVersion, schemas } from './kubernetes.ts'
import { run } from '../engines/tools-root.ts'

export const chartFolder = 'deploy/helm/postern'
export const operatorValues = 'deploy/helm/examples/values-operators.yaml'

const image = 'image.repository=registry.example/postern'
const smallest = `${image},secret=postern,database.address=database/postern`

/** Replaces the shared database URL, which the values for operators set in `extraEnv`. */
const ownDatabase = {
  name: 'POSTERN_DATABASE_URL',
  valueFrom: { secretKeyRef: { name: 'postern-db-admin', key: 'uri' } },
}

const password = { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'postern-db', key: 'password' } } }
const urlWith = (name: string): object => ({
  name: 'POSTERN_DATABASE_URL',
  value: `postgres://postern:$(${name})@database/postern`,
})

/** Kinds of other projects, which the Kubernetes API does not describe. */
const foreignKinds = 'PodMonitor,PrometheusRule'

export const variants: Record<string, readonly string[]> = {
  smallest: ['--set', smallest],
  operators: ['--values', operatorValues, '--set', image],
  // Rendered by `helm upgrade --reuse-values` for a release of a chart without `admin` and `smppServer`.
  earlierValues: ['--set', `${smallest},admin=null,smppServer=null`],
  references: [
    ...['--set', `${smallest},admin.enabled=true`],
    ...['--set-json', `extraEnv=${JSON.stringify([password, urlWith('PASSWORD')])}`],
    ...['--set-json', `api.extraEnv=${JSON.stringify([password])}`],
    ...[
      '--set-json',
      `admin.extraEnv=${JSON.stringify([{ ...password, name: 'OWN_PASSWORD' }, urlWith('OWN_PASSWORD')])}`,
    ],
  ],
  loadBalancer: ['--set', `${smallest},smppServer.enabled=true,smppServer.service.type=LoadBalancer`],
  everything: [
    ...['--values', operatorValues, '--set', image],
    ...[
      '--set',
      'ingress.enabled=true,ingress.host=sms.example.org,ingress.tlsSecret=tls,ingress.className=nginx',
    ],
    ...['--set', 'api.autoscaling.enabled=true,files.existingClaim=files,imagePullSecrets[0].name=registry'],
    ...['--set', 'admin.enabled=true,smppServer.enabled=true,settings.POSTERN_ADMIN_PORT=1'],
    ...[
      '--set',
      'admin.ingress.enabled=true,admin.ingress.host=console.example.org,admin.ingress.tlsSecret=tls',
    ],
    ...['--set-json', `admin.extraEnv=${JSON.stringify([ownDatabase])}`],
    ...['--set', `image.digest=sha256:${'0'.repeat(64)}`],
    ...['--set-json', 'networkPolicy.egress=[{"to":[{"ipBlock":{"cidr":"10.0.0.0/8"}}]}]'],
  ],
}

export function helm(): string {
  return goTool('helm', 'helm.sh/helm/v3/cmd/helm@v3.19.0')
}

export function checkChart(): string {
  const kubeconform = goTool('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0')
  let objects = 0
  for (const [name, values] of Object.entries(variants)) {
    run(helm(), ['lint', '--strict', '--quiet', chartFolder, '--kube-version', kubernetesVersion, ...values])
    const rendered = render(...values)
    mustNameOnce(rendered)
    mustReferToEarlier(rendered)
    mustTakeNoServiceLinks(rendered)
    objects += rendered.split(/^kind: /m).length - 1
    try {
      execFileSync(
        kubeconform,
        [
          ...['-strict', '-skip', foreignKinds],
          ...['-schema-location', join(schemas(), '{{.ResourceKind}}{{.KindSuffix}}.json')],
        ],
        { input: rendered, cwd: projectRoot, stdio: ['pipe', 'pipe', 'pipe'], encoding: 'utf8' },
      )
    } catch (error) {
      throw new Error(`values ${name}: ${(error as { stdout: string }).stdout}`, { cause: error })
    }
  }
  mustHaveOwnSettings(render(...variants.everything!))
  mustTrustHops(render(...variants.smallest!), '0')
  mustTrustHops(render(...variants.everything!), '1')
  mustGiveOwnSecrets(render('--set', `${smallest},admin.enabled=true,smppServer.enabled=true`))
  mustRefuse('no secret', '--set', `${image},database.address=database/postern`)
  mustRefuse('no image', '--set', 'secret=postern,database.address=database/postern')
  mustRefuse('no database', '--set', `${image},secret=postern`)
  mustRefuse('an unknown value', '--set', `${smallest},replicas=3`)
  mustRefuse('an ingress without a host', '--set', `${smallest},ingress.enabled=true`)
  mustRefuse('an ingress of the console without a host', '--set', `${smallest},admin.ingress.enabled=true`)
  mustRefuse('an ingress of SMPP', '--set', `${smallest},smppServer.ingress.enabled=true`)
  return `${objects} objects in ${Object.keys(variants).length} variants`
}

function render(...values: readonly string[]): string {
  return run(helm(), ['template', 'postern', chartFolder, '--kube-version', kubernetesVersion, ...values])
}

function mustNameOnce(rendered: string): void {
  for (const document of splitDocuments(rendered)) {
    const names = [...document.matchAll(/^ +- name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, name]) => name!)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) throw new Error(`${twice} is set twice in: ${document.slice(0, 200)}`)
  }
}

/** Kubernetes leaves `$(NAME)` unresolved if the variable follows later. */
function mustReferToEarlier(rendered: string): void {
  for (const document of splitDocuments(rendered))
    for (const { 1: name, index } of document.matchAll(/\$\(([A-Z][A-Z0-9_]+)\)/g))
      if (document.indexOf(`- name: ${name}\n`) > index)
        throw new Error(`$(${name}) precedes its variable in: ${document.slice(0, 200)}`)
}

/**
 * The variables that Kubernetes sets for the Services of the chart have names of settings, such as
 * POSTERN_ADMIN_PORT.
 */
function mustTakeNoServiceLinks(rendered: string): void {
  for (const document of splitDocuments(rendered))
    if (/^ +containers:$/m.test(document) && !/^ +enableServiceLinks: false$/m.test(document))
      throw new Error(`enableServiceLinks must be false in: ${document.slice(0, 200)}`)
}

/** Each process has its own database user, and only the secrets that it uses. */
function mustGiveOwnSecrets(rendered: string): void {
  const users: Readonly<Record<string, string>> = {
    api: 'postern_api',
    worker: 'postern_worker',
    admin: 'postern_admin',
    'smpp-server': 'postern_api',
    migrate: 'postern',
  }
  for (const [role, user] of Object.entries(users)) {
    const document = splitDocuments(rendered).find((text) =>
      new RegExp(`^ +args: \\[${role}\\b`, 'm').test(text),
    )
    const has = (part: string): boolean => document?.includes(part) === true
    if (!has(`postgres://${user}:$(DATABASE_PASSWORD)@`)) throw new Error(`${role} must connect as ${user}`)
    const needsTokenSecret = role !== 'worker' && role !== 'migrate'
    if (has('name: POSTERN_TOKEN_SECRET') !== needsTokenSecret)
      throw new Error(`${role} must ${needsTokenSecret ? '' : 'not '}have the token secret`)
    if (has('name: MASTER_KEY') === (role === 'migrate'))
      throw new Error(`only migrate must run without the master key; wrong for ${role}`)
    if (has('CLI_PASSWORD'))
      throw new Error(`${role} must not need a password of postern_cli, which no pod uses`)
  }
}

/** Settings of one process take precedence over those of all processes, and the port of its pod over both. */
function mustHaveOwnSettings(rendered: string): void {
  const [admin, others] = ['admin', '(?!admin)'].map((role) =>
    splitDocuments(rendered).filter((document) => new RegExp(`^ +args: \\[${role}`, 'm').test(document)),
  )
  const hasOwn = (document: string): boolean => document.includes('postern-db-admin')
  if (admin!.length !== 1 || !admin!.every(hasOwn) || others!.some(hasOwn))
    throw new Error('admin.extraEnv must be the environment of the admin process, and of no other')
  if (!/POSTERN_ADMIN_PORT\s+value: "8090"/.test(admin![0]!))
    throw new Error('the admin process must listen on the port of its pod')
  for (const setting of [
    /POSTERN_ADMIN_URL\s+value: "?https:\/\/console\.example\.org/,
    /POSTERN_ADMIN_PROXY_HOPS\s+value: "1"/,
  ])
    if (!setting.test(admin![0]!) || others!.some((document) => setting.test(document)))
      throw new Error(`the admin process behind an Ingress, and no other, must have ${setting}`)
}

/** The API trusts the header of a proxy only behind the Ingress: otherwise every pod could forge the address of a client. */
function mustTrustHops(rendered: string, hops: '0' | '1'): void {
  const api = splitDocuments(rendered).find((document) => /^ +args: \[api\b/m.test(document))
  if (api === undefined || !new RegExp(`POSTERN_PROXY_HOPS\\s+value: "${hops}"`).test(api))
    throw new Error(`the API must trust ${hops} proxies`)
}

function mustRefuse(what: string, ...values: readonly string[]): void {
  let refused = false
  try {
    render(...values)
  } catch {
    refused = true
  }
  if (!refused) throw new Error(`${what} is not rejected`)
}
