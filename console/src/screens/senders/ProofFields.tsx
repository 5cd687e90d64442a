/** How it was proven that an account may use a sender. */
import { Field, SelectField } from '../../components/Field.tsx'
import { useTexts } from '../../texts/texts.ts'
import { proofKinds, type ProofKind } from './states.ts'
import { sendersTexts } from './texts.ts'

export interface GivenProof {
  /** `none`: what is stored is kept. */
  readonly kind: ProofKind | 'none'
  readonly reference: string
  readonly issued: string
}

export const noProof: GivenProof = { kind: 'none', reference: '', issued: '' }

/** A part of the body of a request. */
export function toProof({ kind, reference, issued }: GivenProof): {
  proof?: { kind: ProofKind; reference: string; issued?: string }
} {
  if (kind === 'none') return {}
  return { proof: { kind, reference: reference.trim(), ...(issued === '' ? {} : { issued }) } }
}

interface Props {
  readonly proof: GivenProof
  readonly onProof: (proof: GivenProof) => void
  readonly stored: ProofKind | null
}

export function ProofFields({ proof, onProof, stored }: Props) {
  const t = useTexts(sendersTexts)
  return (
    <>
      <SelectField<GivenProof['kind']>
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
