/** Flags of a command for members of the body that people set most, each with the path of its member. */
type MemberPaths = Readonly<Record<string, string>>

interface FieldFlags {
  readonly field?: readonly string[] | undefined
}

/**
 * `--credit-limit 5000` means `-F creditLimit=5000`: typed and checked by the contract in the same way. A flag wins over
 * a field of the same member.
 */
export function withMembers<Flags extends FieldFlags>(flags: Flags, members: MemberPaths): Flags {
  const given = new Map<string, unknown>(Object.entries(flags))
  const fields = Object.entries(members)
    .filter(([flag]) => given.get(flag) !== undefined)
    .map(([flag, path]) => `${path}=${given.get(flag)}`)
  return fields.length === 0 ? flags : {...flags, field: [...(flags.field ?? []), ...fields]}
}
