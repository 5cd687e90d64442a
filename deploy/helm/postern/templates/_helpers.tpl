{{- define "postern.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "postern.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "postern.labels" -}}
{{ include "postern.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "postern.image" -}}
{{- with .Values.image }}
{{- if not .repository }}{{ fail "image.repository is not set: build the image and push it to your registry, see docs/operations/kubernetes.md#install" }}{{ end }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "postern.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "postern.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{/*
The roles that run, as the arguments of the program. The values of a release of an earlier chart (`helm upgrade --reuse-values`) have neither
`admin` nor `smppServer`.
*/}}
{{- define "postern.roles" -}}
api worker{{ if (.Values.admin).enabled }} admin{{ end }}{{ if (.Values.smppServer).enabled }} smpp-server{{ end }}
{{- end }}

{{/*
The environment of a process: those keys of the Secret that it needs, with the URL of its database user, then `defaults`, `settings`, `extraEnv`, `own` (a
list, for this process alone) and `listen` (its address, which the ports of the pod depend on). The last one of a name counts, and no other is written: a patch of a list with two of a name may keep
the wrong one. Variables that refer to others, by `$(NAME)`, come after those that do not: Kubernetes expands a name only if its variable stands
before. In the pod itself, so that a change starts new pods.
*/}}
{{- define "postern.environment" -}}
{{- $user := get (dict "api" "api" "smpp-server" "api" "worker" "worker" "admin" "admin") .role }}
{{- $keys := dict "POSTERN_BROKER_URLS" "POSTERN_BROKER_URLS" "POSTERN_REDIS_URL" "POSTERN_REDIS_URL" "MASTER_KEY" "MASTER_KEY" }}
{{- if eq .role "migrate" }}
{{- $keys = dict "API_PASSWORD" "DATABASE_API_PASSWORD" "WORKER_PASSWORD" "DATABASE_WORKER_PASSWORD" "ADMIN_PASSWORD" "DATABASE_ADMIN_PASSWORD" }}
{{- else if ne .role "worker" }}
{{- $_ := set $keys "POSTERN_TOKEN_SECRET" "POSTERN_TOKEN_SECRET" }}
{{- end }}
{{- $given := list }}
{{- with .root.Values.database }}
{{- if .address }}
{{- $_ := set $keys "DATABASE_PASSWORD" (ternary (printf "DATABASE_%s_PASSWORD" (upper $user)) "DATABASE_PASSWORD" (ne $user "")) }}
{{- $name := ternary (printf "postern_%s" $user) .owner (ne $user "") }}
{{- $given = append $given (dict "name" "POSTERN_DATABASE_URL" "value" (printf "postgres://%s:$(DATABASE_PASSWORD)@%s" $name .address)) }}
{{- end }}
{{- end }}
{{- range $name, $key := $keys }}
{{- $ref := dict "name" $.root.Values.secret "key" $key }}
{{- if eq $key "MASTER_KEY" }}{{ $_ := set $ref "optional" true }}{{ end }}
{{- $given = append $given (dict "name" $name "valueFrom" (dict "secretKeyRef" $ref)) }}
{{- end }}
{{- range $name, $value := .defaults }}{{ $given = append $given (dict "name" $name "value" $value) }}{{ end }}
{{- range $name, $value := .root.Values.settings }}{{ $given = append $given (dict "name" $name "value" (toString $value)) }}{{ end }}
{{- $given = concat $given (.root.Values.extraEnv | default list) (.own | default list) }}
{{- range $name, $value := .listen }}{{ $given = append $given (dict "name" $name "value" $value) }}{{ end }}
{{- $last := dict }}
{{- range $at, $variable := $given }}{{ $_ := set $last $variable.name $at }}{{ end }}
{{- $plain := list }}
{{- $referring := list }}
{{- range $at, $variable := $given }}
{{- if eq $at (get $last $variable.name) }}
{{- if contains "$(" (toString $variable.value) }}{{ $referring = append $referring $variable }}{{ else }}{{ $plain = append $plain $variable }}{{ end }}
{{- end }}
{{- end -}}
{{- if not (hasKey $last "POSTERN_DATABASE_URL") }}{{ fail "database.address is not set, see docs/operations/kubernetes.md#install" }}{{ end -}}
env: {{- concat $plain $referring | toYaml | nindent 2 }}
{{- end }}

{{- define "postern.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "postern.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
automountServiceAccountToken: false
# Kubernetes would set POSTERN_ADMIN_PORT=tcp://… in every pod for a Service `postern-admin`: the name of a setting.
enableServiceLinks: false
{{- end }}

{{/* One host to one Service of the same name. Takes root, ingress, service and port. */}}
{{- define "postern.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .service }}
  labels: {{- include "postern.labels" .root | nindent 4 }}
  {{- with .ingress.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  rules:
    - host: {{ .ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: {{ .service }}, port: { name: {{ .port }} } } }
  {{- with .ingress.tlsSecret }}
  tls:
    - hosts: [{{ $.ingress.host | quote }}]
      secretName: {{ . | quote }}
  {{- end }}
{{- end }}
