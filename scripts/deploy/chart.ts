/** The Helm chart: linted, rendered with several values, and every object valid for the API of Kubernetes. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../services/paths.ts'
import { goTool } from './go-tool.ts'
import { kubernetesVersion, schemas } from './kubernetes.ts'
import { run } from './tools-root.ts'

export const chartFolder = 'deploy/helm/postern'
export const operatorValues = 'deploy/helm/examples/values-operators.yaml'

/** Kinds of other projects, which the API of Kubernetes does not describe. */
const foreignKinds = 'PodMonitor,PrometheusRule'

export const variants: Record<string, readonly string[]> = {
  smallest: ['--set', 'secret=postern'],
  operators: ['--values', operatorValues],
  everything: [
    ...['--values', operatorValues],
    ...[
      '--set',
      'ingress.enabled=true,ingress.host=sms.example.org,ingress.tlsSecret=tls,ingress.className=nginx',
    ],
    ...['--set', 'api.autoscaling.enabled=true,files.existingClaim=files,imagePullSecrets[0].name=registry'],
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
  mustRefuse('no secret')
  mustRefuse('an unknown value', '--set', 'secret=postern,replicas=3')
  mustRefuse('an ingress without a host', '--set', 'secret=postern,ingress.enabled=true')
  return `${objects} objects in ${Object.keys(variants).length} variants`
}

function render(...values: readonly string[]): string {
  return run(helm(), ['template', 'postern', chartFolder, '--kube-version', kubernetesVersion, ...values])
}

function mustRefuse(what: string, ...values: readonly string[]): void {
  let refused = false
  try {
    render(...values)
  } catch {
    refused = true
  }
  if (!refused) throw new Error(`${what} is not refused`)
}
