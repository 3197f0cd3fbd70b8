import type { FormField } from '../../src/shared/forms/elicitation';
import { problemOf, type FieldProblem, type FormValue } from '../../src/shared/forms/formModel';

/** The values in a form's fields, and the fields that the user has edited. Only those show problems. */
export class FormValues {
  readonly fields: readonly FormField[];
  private readonly values = new Map<string, FormValue>();
  private readonly touched = new Set<string>();
  private showsAll = false;

  /** `kept` is the untrusted data that an earlier page stored for the form. */
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

  /** Returns the problem to show for a field. */
  problem(field: FormField): FieldProblem | undefined {
    return this.showsAll || this.touched.has(field.key) ? problemOf(field, this.of(field)) : undefined;
  }

  /** Validates the form: shows every problem and returns the first field that has one. */
  review(): FormField | undefined {
    this.showsAll = true;
    return this.fields.find((field) => problemOf(field, this.of(field)) !== undefined);
  }

  /** Returns the values to keep until the form is answered: those the user has changed, without secrets. */
  toKeep(): readonly (readonly [key: string, value: FormValue])[] {
    return this.fields.flatMap((field) =>
      isSecret(field) || !this.touched.has(field.key) ? [] : [[field.key, this.of(field)] as const],
    );
  }
}

/** Returns whether a field's value must be hidden and never stored. */
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
