import { newId } from '../api/new-id';
import type { ApiObject } from '../wire';

type NewTaxRate = {
  display_name: string;
  percentage: number;
  inclusive: boolean;
  active?: boolean | undefined;
  country?: string | undefined;
  description?: string | undefined;
  jurisdiction?: string | undefined;
  metadata: Record<string, string>;
};

export function buildTaxRate(given: NewTaxRate, now: number): ApiObject<'tax_rate'> {
  return {
    id: newId('txr'),
    object: 'tax_rate',
    active: given.active ?? true,
    country: given.country ?? null,
    created: now,
    description: given.description ?? null,
    display_name: given.display_name,
    effective_percentage: given.percentage,
    flat_amount: null,
    inclusive: given.inclusive,
    jurisdiction: given.jurisdiction ?? null,
    jurisdiction_level: null,
    livemode: false,
    metadata: given.metadata,
    percentage: given.percentage,
    rate_type: 'percentage',
    state: null,
    tax_type: null,
  };
}
