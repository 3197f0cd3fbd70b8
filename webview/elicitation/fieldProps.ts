import type { FormField } from '../../src/shared/forms/elicitation';
import type { FieldProblem, FormValue } from '../../src/shared/forms/formModel';

/** The properties of a field. */
export interface FieldProps {
  readonly field: FormField;
  /** Unique on the page. */
  readonly id: string;
  readonly value: FormValue;
  readonly problem: FieldProblem | undefined;
  readonly isDisabled: boolean;
  readonly change: (value: FormValue) => void;
}
