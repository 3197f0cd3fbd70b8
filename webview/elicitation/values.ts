import type { FormField } from '../../src/shared/elicitation';
import { problemOf, type FieldProblem, type FormValue } from '../../src/shared/formModel';

/** What stands in the fields of a form, and which of them the user has touched: only those are told to be wrong. */
export class FormValues {
  readonly fields: readonly FormField[];
  private readonly values = new Map<string, FormValue>();
  private readonly touched = new Set<string>();
  private showsAll = false;

  /** `kept` is what an earlier page kept of it, in whatever shape it comes back. */
  constructor(fields: readonly FormField[], kept: unknown) {
    this.fields = fields;
    const before = readKept(kept);
    for (const field of fields) {
      const value = before.get(field.key);
      const fits = typeof value === typeof field.initial && !isSecret(field);
      if (fits) this.touched.add(field.key);
      this.values.set(field.key, fits && value !== undefined ? value : field.initial);
    }
  }

  of(field: FormField): FormValue {
    return this.values.get(field.key) ?? field.initial;
  }

  set(field: FormField, value: FormValue): void {
    this.values.set(field.key, value);
    this.touched.add(field.key);
  }

  /** What is to be told at a field. */
  problem(field: FormField): FieldProblem | undefined {
    return this.showsAll || this.touched.has(field.key) ? problemOf(field, this.of(field)) : undefined;
  }

  /** The user wants to be through: shows every problem and returns the first field that has one. */
  review(): FormField | undefined {
    this.showsAll = true;
    return this.fields.find((field) => problemOf(field, this.of(field)) !== undefined);
  }

  /** What the page may keep until the form is answered: what the user has changed, without secrets. */
  toKeep(): readonly (readonly [key: string, value: FormValue])[] {
    return this.fields.flatMap((field) =>
      isSecret(field) || !this.touched.has(field.key) ? [] : [[field.key, this.of(field)] as const],
    );
  }
}

/** Whether what is typed into a field must not be seen or kept. */
export function isSecret(field: FormField): boolean {
  return field.type === 'text' && field.isSecret;
}

function readKept(kept: unknown): ReadonlyMap<unknown, FormValue> {
  const found = new Map<unknown, FormValue>();
  for (const pair of Array.isArray(kept) ? (kept as readonly unknown[]) : []) {
    const [key, value] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
    if (typeof value === 'string' || typeof value === 'boolean') found.set(key, value);
    else if (Array.isArray(value))
      found.set(
        key,
        value.filter((item) => typeof item === 'string'),
      );
  }
  return found;
}
