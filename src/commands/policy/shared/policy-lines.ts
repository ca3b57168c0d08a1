import {CALLERS, type Policy, type Rule, socketOf} from '../../../policy/index.ts'

/** One line of a policy. */
export interface PolicyLine {
  readonly profile: string
  /** The kind of caller. */
  readonly caller: string
  /** An effect, or a currency and what its sum is for. */
  readonly what: string
  readonly rule: string
  readonly line: string
}

/** What a policy says, line by line. */
export function linesOf({profiles, gate, lineOf}: Policy): readonly PolicyLine[] {
  const served = (gate?.callers ?? []).map((one, at) => ({
    ...{profile: one.profile, caller: one.kind, what: `served to ${one.user}`},
    rule: gate === undefined || one.port !== undefined ? `127.0.0.1:${one.port}` : socketOf(gate.folder, one),
    line: lineOf(`/gate/callers/${at}`),
  }))
  const rules = Object.entries(profiles).flatMap(([profile, entry]) =>
    CALLERS.flatMap(caller => {
      const {sums = {}, ...rules} = entry[caller] ?? {}
      const at = `/profiles/${profile}/${caller}`
      return [
        ...Object.entries(rules).map(([what, rule]) => ({
          ...{profile, caller, what, rule: ruleText(rule)},
          line: lineOf(`${at}/${what}`),
        })),
        ...Object.entries(sums).flatMap(([currency, sum]) =>
          (['request', 'day'] as const).map(per => ({
            ...{profile, caller, what: `${currency} a ${per}`, rule: String(sum[per])},
            line: lineOf(`${at}/sums/${currency}/${per}`),
          })),
        ),
      ]
    }),
  )
  return [...rules, ...served]
}

const ruleText = (rule: Rule): string =>
  typeof rule === 'string' ? rule : `approved by ${rule.approvedBy.join(' or ')}`
