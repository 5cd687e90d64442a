/** Proof that an account is allowed to use a sender. */
import { Field, SelectField } from '../../components/Field.tsx'
import { useTexts } from '../../texts/texts.ts'
import { proofKinds, type ProofKind } from './states.ts'
import { sendersTexts } from './texts.ts'

export interface ProofInput {
  /** `none` keeps the stored proof. */
  readonly kind: ProofKind | 'none'
  readonly reference: string
  readonly issued: string
}

export const noProof: ProofInput = { kind: 'none', reference: '', issued: '' }

/** Returns the proof fields of the request body. */
export function toProof({ kind, reference, issued }: ProofInput): {
  proof?: { kind: ProofKind; reference: string; issued?: string }
} {
  if (kind === 'none') return {}
  return { proof: { kind, reference: reference.trim(), ...(issued === '' ? {} : { issued }) } }
}

interface Props {
  readonly proof: ProofInput
  readonly onProof: (proof: ProofInput) => void
  readonly stored: ProofKind | null
}

export function ProofFields({ proof, onProof, stored }: Props) {
  const t = useTexts(sendersTexts)
  return (
    <>
      <SelectField<ProofInput['kind']>
        label={t.proofKind}
        value={proof.kind}
        onValue={(kind) => onProof({ ...proof, kind })}
        options={[
          ['none', stored === null ? t.noProof : `${t.keepProof}: ${t[`proof-${stored}`]}`] as const,
          ...proofKinds.map((kind) => [kind, t[`proof-${kind}`]] as const),
        ]}
      />
      {proof.kind === 'none' ? null : (
        <div className="fields two">
          <Field
            label={t.reference}
            value={proof.reference}
            onValue={(reference) => onProof({ ...proof, reference })}
            required
            maxLength={200}
            pattern=".*\S.*"
            hint={t.referenceHint}
          />
          <Field
            label={t.issued}
            value={proof.issued}
            onValue={(issued) => onProof({ ...proof, issued })}
            type="date"
          />
        </div>
      )}
    </>
  )
}
