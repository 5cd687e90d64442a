import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishedOnly } from './api-server-program.ts'
import { kubernetesVersion } from './kubernetes.ts'

const module = `require (
	github.com/google/cel-go v0.26.0
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.130.1
	k8s.io/kube-openapi v0.0.0-20260317180543-43fb72c5454a
	k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2 // indirect
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
)

replace k8s.io/client-go => ./staging/src/k8s.io/client-go
`

test('modules of the same repository get the release version, without replacements', () => {
  assert.equal(
    publishedOnly(module).trim(),
    `require (
	github.com/google/cel-go v0.26.0
	k8s.io/api v0.${kubernetesVersion.slice(2)}
	k8s.io/klog/v2 v2.130.1
	k8s.io/kube-openapi v0.0.0-20260317180543-43fb72c5454a
	k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2 // indirect
)`,
  )
})
