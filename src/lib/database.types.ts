// Written by `npm run db:types` from the migrations. Never edit it by hand.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      account_deletions: {
        Row: {
          due_at: string;
          reminded_at: string | null;
          requested_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          due_at?: string;
          reminded_at?: string | null;
          requested_at?: string;
          user_id: string;
        };
        Update: {
          due_at?: string;
          reminded_at?: string | null;
          requested_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      answers: {
        Row: {
          answered_at: string;
          applies: boolean;
          attempt_id: string;
          question_key: string;
          value: number | null;
          version_id: string;
        };
        ComputedFields: never;
        Insert: {
          answered_at?: string;
          applies?: boolean;
          attempt_id: string;
          question_key: string;
          value?: number | null;
          version_id: string;
        };
        Update: {
          answered_at?: string;
          applies?: boolean;
          attempt_id?: string;
          question_key?: string;
          value?: number | null;
          version_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'answers_attempt_id_version_id_fkey';
            columns: ['attempt_id', 'version_id'];
            isOneToOne: false;
            referencedRelation: 'attempts';
            referencedColumns: ['id', 'version_id'];
          },
          {
            foreignKeyName: 'answers_version_id_question_key_fkey';
            columns: ['version_id', 'question_key'];
            isOneToOne: false;
            referencedRelation: 'quiz_questions';
            referencedColumns: ['version_id', 'key'];
          },
        ];
      };
      area_scores: {
        Row: {
          answered: number;
          applicable: number;
          area_key: string;
          asked: number;
          attempt_id: string;
          confidence_note: string | null;
          level: string | null;
          score: number | null;
          weakest_question_key: string | null;
        };
        ComputedFields: never;
        Insert: {
          answered: number;
          applicable: number;
          area_key: string;
          asked: number;
          attempt_id: string;
          confidence_note?: string | null;
          level?: string | null;
          score?: number | null;
          weakest_question_key?: string | null;
        };
        Update: {
          answered?: number;
          applicable?: number;
          area_key?: string;
          asked?: number;
          attempt_id?: string;
          confidence_note?: string | null;
          level?: string | null;
          score?: number | null;
          weakest_question_key?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'area_scores_area_key_fkey';
            columns: ['area_key'];
            isOneToOne: false;
            referencedRelation: 'skill_areas';
            referencedColumns: ['key'];
          },
          {
            foreignKeyName: 'area_scores_attempt_id_fkey';
            columns: ['attempt_id'];
            isOneToOne: false;
            referencedRelation: 'attempts';
            referencedColumns: ['id'];
          },
        ];
      };
      attempt_adoptions: {
        Row: {
          attempt_id: string;
          created_at: string;
          first_look_id: string | null;
          id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          attempt_id: string;
          created_at?: string;
          first_look_id?: string | null;
          id: string;
          user_id: string;
        };
        Update: {
          attempt_id?: string;
          created_at?: string;
          first_look_id?: string | null;
          id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'attempt_adoptions_attempt_id_fkey';
            columns: ['attempt_id'];
            isOneToOne: false;
            referencedRelation: 'attempts';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'attempt_adoptions_first_look_id_fkey';
            columns: ['first_look_id'];
            isOneToOne: false;
            referencedRelation: 'attempts';
            referencedColumns: ['id'];
          },
        ];
      };
      attempt_confidences: {
        Row: {
          area_key: string;
          attempt_id: string;
          rated_at: string;
          rating: number;
          version_id: string;
        };
        ComputedFields: never;
        Insert: {
          area_key: string;
          attempt_id: string;
          rated_at?: string;
          rating: number;
          version_id: string;
        };
        Update: {
          area_key?: string;
          attempt_id?: string;
          rated_at?: string;
          rating?: number;
          version_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'attempt_confidences_attempt_id_version_id_fkey';
            columns: ['attempt_id', 'version_id'];
            isOneToOne: false;
            referencedRelation: 'attempts';
            referencedColumns: ['id', 'version_id'];
          },
          {
            foreignKeyName: 'attempt_confidences_version_id_area_key_fkey';
            columns: ['version_id', 'area_key'];
            isOneToOne: false;
            referencedRelation: 'quiz_version_areas';
            referencedColumns: ['version_id', 'area_key'];
          },
        ];
      };
      attempts: {
        Row: {
          business_id: string | null;
          expires_at: string;
          id: string;
          kind: string;
          overall_score: number | null;
          started_at: string;
          state: string;
          submitted_at: string | null;
          user_id: string | null;
          version_id: string;
          void_reason: string | null;
          voided_at: string | null;
          voided_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          business_id?: string | null;
          expires_at?: string;
          id: string;
          kind: string;
          overall_score?: number | null;
          started_at?: string;
          state?: string;
          submitted_at?: string | null;
          user_id?: string | null;
          version_id: string;
          void_reason?: string | null;
          voided_at?: string | null;
          voided_by?: string | null;
        };
        Update: {
          business_id?: string | null;
          expires_at?: string;
          id?: string;
          kind?: string;
          overall_score?: number | null;
          started_at?: string;
          state?: string;
          submitted_at?: string | null;
          user_id?: string | null;
          version_id?: string;
          void_reason?: string | null;
          voided_at?: string | null;
          voided_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'attempts_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'attempts_version_id_fkey';
            columns: ['version_id'];
            isOneToOne: false;
            referencedRelation: 'quiz_versions';
            referencedColumns: ['id'];
          },
        ];
      };
      audit_log: {
        Row: {
          action: string;
          actor_id: string | null;
          at: string;
          details: NonNullable<Json>;
          entity: string;
          entity_id: string | null;
          id: number;
          reason: string | null;
        };
        ComputedFields: never;
        Insert: {
          action: string;
          actor_id?: string | null;
          at?: string;
          details?: NonNullable<Json>;
          entity: string;
          entity_id?: string | null;
          id?: never;
          reason?: string | null;
        };
        Update: {
          action?: string;
          actor_id?: string | null;
          at?: string;
          details?: NonNullable<Json>;
          entity?: string;
          entity_id?: string | null;
          id?: never;
          reason?: string | null;
        };
        Relationships: [];
      };
      benchmark_businesses: {
        Row: {
          attempt_id: string;
          business_id: string;
          industry: string;
          stage: string;
        };
        ComputedFields: never;
        Insert: {
          attempt_id: string;
          business_id: string;
          industry: string;
          stage: string;
        };
        Update: {
          attempt_id?: string;
          business_id?: string;
          industry?: string;
          stage?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'benchmark_businesses_attempt_id_fkey';
            columns: ['attempt_id'];
            isOneToOne: false;
            referencedRelation: 'attempts';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'benchmark_businesses_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      benchmarks: {
        Row: {
          area_key: string;
          computed_at: string;
          industry: string;
          lower: number;
          middle: number;
          stage: string;
          upper: number;
        };
        ComputedFields: never;
        Insert: {
          area_key: string;
          computed_at?: string;
          industry: string;
          lower: number;
          middle: number;
          stage: string;
          upper: number;
        };
        Update: {
          area_key?: string;
          computed_at?: string;
          industry?: string;
          lower?: number;
          middle?: number;
          stage?: string;
          upper?: number;
        };
        Relationships: [];
      };
      blocks: {
        Row: {
          blocked_id: string;
          created_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          blocked_id: string;
          created_at?: string;
          user_id: string;
        };
        Update: {
          blocked_id?: string;
          created_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      business_invitations: {
        Row: {
          accepted_by: string | null;
          address: string;
          business_id: string;
          created_at: string;
          ended: string | null;
          ended_at: string | null;
          expires_at: string;
          id: string;
          invited_by: string | null;
          role: string;
          sent_at: string;
          times_sent: number;
          token_hash: string;
        };
        ComputedFields: never;
        Insert: {
          accepted_by?: string | null;
          address: string;
          business_id: string;
          created_at?: string;
          ended?: string | null;
          ended_at?: string | null;
          expires_at?: string;
          id: string;
          invited_by?: string | null;
          role?: string;
          sent_at?: string;
          times_sent?: number;
          token_hash: string;
        };
        Update: {
          accepted_by?: string | null;
          address?: string;
          business_id?: string;
          created_at?: string;
          ended?: string | null;
          ended_at?: string | null;
          expires_at?: string;
          id?: string;
          invited_by?: string | null;
          role?: string;
          sent_at?: string;
          times_sent?: number;
          token_hash?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'business_invitations_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      business_members: {
        Row: {
          business_id: string;
          joined_at: string;
          role: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          business_id: string;
          joined_at?: string;
          role: string;
          user_id: string;
        };
        Update: {
          business_id?: string;
          joined_at?: string;
          role?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'business_members_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      business_merges: {
        Row: {
          archived_at: string | null;
          from_id: string;
          id: string;
          into_id: string;
          members: number;
          merged_at: string;
          merged_by: string | null;
          moved: NonNullable<Json>;
          reason: string;
          undone_at: string | null;
          undone_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          archived_at?: string | null;
          from_id: string;
          id?: string;
          into_id: string;
          members: number;
          merged_at?: string;
          merged_by?: string | null;
          moved: NonNullable<Json>;
          reason: string;
          undone_at?: string | null;
          undone_by?: string | null;
        };
        Update: {
          archived_at?: string | null;
          from_id?: string;
          id?: string;
          into_id?: string;
          members?: number;
          merged_at?: string;
          merged_by?: string | null;
          moved?: NonNullable<Json>;
          reason?: string;
          undone_at?: string | null;
          undone_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'business_merges_from_id_fkey';
            columns: ['from_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'business_merges_into_id_fkey';
            columns: ['into_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      business_plan_fields: {
        Row: {
          business_id: string;
          field: string;
          revision: number;
          saved_at: string;
          saved_by: string | null;
          value: string;
        };
        ComputedFields: never;
        Insert: {
          business_id: string;
          field: string;
          revision: number;
          saved_at?: string;
          saved_by?: string | null;
          value: string;
        };
        Update: {
          business_id?: string;
          field?: string;
          revision?: number;
          saved_at?: string;
          saved_by?: string | null;
          value?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'business_plan_fields_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      business_plan_versions: {
        Row: {
          began_at: string;
          business_id: string;
          editor: string;
          field: string;
          restored_from: number | null;
          revision: number;
          saved_at: string;
          saved_by: string | null;
          value: string;
        };
        ComputedFields: never;
        Insert: {
          began_at?: string;
          business_id: string;
          editor: string;
          field: string;
          restored_from?: number | null;
          revision: number;
          saved_at?: string;
          saved_by?: string | null;
          value: string;
        };
        Update: {
          began_at?: string;
          business_id?: string;
          editor?: string;
          field?: string;
          restored_from?: number | null;
          revision?: number;
          saved_at?: string;
          saved_by?: string | null;
          value?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'business_plan_versions_business_id_field_fkey';
            columns: ['business_id', 'field'];
            isOneToOne: false;
            referencedRelation: 'business_plan_fields';
            referencedColumns: ['business_id', 'field'];
          },
        ];
      };
      business_snapshots: {
        Row: {
          business_id: string;
          created_at: string;
          created_by: string | null;
          currency: string | null;
          full_time: number | null;
          id: string;
          part_time: number | null;
          profit_minor: number | null;
          revenue_minor: number | null;
          taken_on: string;
        };
        ComputedFields: never;
        Insert: {
          business_id: string;
          created_at?: string;
          created_by?: string | null;
          currency?: string | null;
          full_time?: number | null;
          id: string;
          part_time?: number | null;
          profit_minor?: number | null;
          revenue_minor?: number | null;
          taken_on: string;
        };
        Update: {
          business_id?: string;
          created_at?: string;
          created_by?: string | null;
          currency?: string | null;
          full_time?: number | null;
          id?: string;
          part_time?: number | null;
          profit_minor?: number | null;
          revenue_minor?: number | null;
          taken_on?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'business_snapshots_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      business_worksheet_versions: {
        Row: {
          business_id: string;
          document: NonNullable<Json>;
          is_final: boolean;
          kind: string;
          restored_from: number | null;
          revision: number;
          saved_at: string;
          saved_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          business_id: string;
          document: NonNullable<Json>;
          is_final?: boolean;
          kind: string;
          restored_from?: number | null;
          revision: number;
          saved_at?: string;
          saved_by?: string | null;
        };
        Update: {
          business_id?: string;
          document?: NonNullable<Json>;
          is_final?: boolean;
          kind?: string;
          restored_from?: number | null;
          revision?: number;
          saved_at?: string;
          saved_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'business_worksheet_versions_business_id_kind_fkey';
            columns: ['business_id', 'kind'];
            isOneToOne: false;
            referencedRelation: 'business_worksheets';
            referencedColumns: ['business_id', 'kind'];
          },
        ];
      };
      business_worksheets: {
        Row: {
          business_id: string;
          document: NonNullable<Json>;
          kind: string;
          revision: number;
          saved_at: string;
          saved_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          business_id: string;
          document: NonNullable<Json>;
          kind: string;
          revision: number;
          saved_at?: string;
          saved_by?: string | null;
        };
        Update: {
          business_id?: string;
          document?: NonNullable<Json>;
          kind?: string;
          revision?: number;
          saved_at?: string;
          saved_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'business_worksheets_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      businesses: {
        Row: {
          address_line1: string | null;
          address_line2: string | null;
          archived_at: string | null;
          city: string | null;
          country: string | null;
          created_at: string;
          created_by: string | null;
          description: string | null;
          entity_type: string | null;
          help_wanted: string | null;
          home_based: boolean | null;
          id: string;
          industry: string | null;
          legal_name: string | null;
          name: string;
          phone: string | null;
          postal_code: string | null;
          region: string | null;
          stage: string | null;
          start_date: string | null;
          trading: string | null;
          updated_at: string;
          website: string | null;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          address_line1?: string | null;
          address_line2?: string | null;
          archived_at?: string | null;
          city?: string | null;
          country?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string | null;
          entity_type?: string | null;
          help_wanted?: string | null;
          home_based?: boolean | null;
          id: string;
          industry?: string | null;
          legal_name?: string | null;
          name: string;
          phone?: string | null;
          postal_code?: string | null;
          region?: string | null;
          stage?: string | null;
          start_date?: string | null;
          trading?: string | null;
          updated_at?: string;
          website?: string | null;
          words?: never;
        };
        Update: {
          address_line1?: string | null;
          address_line2?: string | null;
          archived_at?: string | null;
          city?: string | null;
          country?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string | null;
          entity_type?: string | null;
          help_wanted?: string | null;
          home_based?: boolean | null;
          id?: string;
          industry?: string | null;
          legal_name?: string | null;
          name?: string;
          phone?: string | null;
          postal_code?: string | null;
          region?: string | null;
          stage?: string | null;
          start_date?: string | null;
          trading?: string | null;
          updated_at?: string;
          website?: string | null;
          words?: never;
        };
        Relationships: [];
      };
      calendar_feeds: {
        Row: {
          created_at: string;
          token_hash: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          token_hash: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          token_hash?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      coach_profiles: {
        Row: {
          about: string;
          accepting: boolean;
          areas: string[];
          capacity: number | null;
          industries: string[];
          paused_until: string | null;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          about?: string;
          accepting?: boolean;
          areas?: string[];
          capacity?: number | null;
          industries?: string[];
          paused_until?: string | null;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          about?: string;
          accepting?: boolean;
          areas?: string[];
          capacity?: number | null;
          industries?: string[];
          paused_until?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      coach_recommendations: {
        Row: {
          area_key: string | null;
          coach_id: string | null;
          created_at: string;
          engagement_id: string;
          id: string;
          kind: string;
          note: string | null;
          project_id: string | null;
          settled_at: string | null;
          state: string;
          title: string | null;
          tool_slug: string | null;
        };
        ComputedFields: never;
        Insert: {
          area_key?: string | null;
          coach_id?: string | null;
          created_at?: string;
          engagement_id: string;
          id: string;
          kind: string;
          note?: string | null;
          project_id?: string | null;
          settled_at?: string | null;
          state?: string;
          title?: string | null;
          tool_slug?: string | null;
        };
        Update: {
          area_key?: string | null;
          coach_id?: string | null;
          created_at?: string;
          engagement_id?: string;
          id?: string;
          kind?: string;
          note?: string | null;
          project_id?: string | null;
          settled_at?: string | null;
          state?: string;
          title?: string | null;
          tool_slug?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'coach_recommendations_area_key_fkey';
            columns: ['area_key'];
            isOneToOne: false;
            referencedRelation: 'skill_areas';
            referencedColumns: ['key'];
          },
          {
            foreignKeyName: 'coach_recommendations_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'coach_recommendations_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      coach_time_off: {
        Row: {
          created_at: string;
          ends_on: string;
          id: string;
          note: string | null;
          starts_on: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          ends_on: string;
          id: string;
          note?: string | null;
          starts_on: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          ends_on?: string;
          id?: string;
          note?: string | null;
          starts_on?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      coaching_actions: {
        Row: {
          area_key: string | null;
          body: string;
          created_at: string;
          created_by: string | null;
          doer: string;
          due_on: string | null;
          engagement_id: string;
          focus_area_id: string | null;
          id: string;
          question_key: string | null;
          session_id: string | null;
          settled_at: string | null;
          state: string;
          tool_slug: string | null;
        };
        ComputedFields: never;
        Insert: {
          area_key?: string | null;
          body: string;
          created_at?: string;
          created_by?: string | null;
          doer: string;
          due_on?: string | null;
          engagement_id: string;
          focus_area_id?: string | null;
          id: string;
          question_key?: string | null;
          session_id?: string | null;
          settled_at?: string | null;
          state?: string;
          tool_slug?: string | null;
        };
        Update: {
          area_key?: string | null;
          body?: string;
          created_at?: string;
          created_by?: string | null;
          doer?: string;
          due_on?: string | null;
          engagement_id?: string;
          focus_area_id?: string | null;
          id?: string;
          question_key?: string | null;
          session_id?: string | null;
          settled_at?: string | null;
          state?: string;
          tool_slug?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'coaching_actions_area_key_fkey';
            columns: ['area_key'];
            isOneToOne: false;
            referencedRelation: 'skill_areas';
            referencedColumns: ['key'];
          },
          {
            foreignKeyName: 'coaching_actions_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'coaching_actions_focus_area_id_fkey';
            columns: ['focus_area_id'];
            isOneToOne: false;
            referencedRelation: 'focus_areas';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'coaching_actions_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: false;
            referencedRelation: 'coaching_sessions';
            referencedColumns: ['id'];
          },
        ];
      };
      coaching_sessions: {
        Row: {
          cancel_reason: string | null;
          closed_at: string | null;
          coach_id: string | null;
          created_at: string;
          engagement_id: string;
          id: string;
          kind: string;
          minutes: number;
          place: string | null;
          revision: number;
          starts_at: string;
          state: string;
          summary: string | null;
          time_zone: string;
          topics: string[];
          updated_at: string;
          uses_one: boolean;
        };
        ComputedFields: never;
        Insert: {
          cancel_reason?: string | null;
          closed_at?: string | null;
          coach_id?: string | null;
          created_at?: string;
          engagement_id: string;
          id: string;
          kind: string;
          minutes: number;
          place?: string | null;
          revision?: number;
          starts_at: string;
          state?: string;
          summary?: string | null;
          time_zone: string;
          topics?: string[];
          updated_at?: string;
          uses_one?: never;
        };
        Update: {
          cancel_reason?: string | null;
          closed_at?: string | null;
          coach_id?: string | null;
          created_at?: string;
          engagement_id?: string;
          id?: string;
          kind?: string;
          minutes?: number;
          place?: string | null;
          revision?: number;
          starts_at?: string;
          state?: string;
          summary?: string | null;
          time_zone?: string;
          topics?: string[];
          updated_at?: string;
          uses_one?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'coaching_sessions_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
        ];
      };
      contact_attempts: {
        Row: {
          at: string;
          channel: string;
          coach_id: string | null;
          created_at: string;
          engagement_id: string;
          id: string;
          note: string | null;
          reached: boolean;
        };
        ComputedFields: never;
        Insert: {
          at?: string;
          channel: string;
          coach_id?: string | null;
          created_at?: string;
          engagement_id: string;
          id: string;
          note?: string | null;
          reached: boolean;
        };
        Update: {
          at?: string;
          channel?: string;
          coach_id?: string | null;
          created_at?: string;
          engagement_id?: string;
          id?: string;
          note?: string | null;
          reached?: boolean;
        };
        Relationships: [
          {
            foreignKeyName: 'contact_attempts_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
        ];
      };
      contact_messages: {
        Row: {
          answer: string | null;
          answered_at: string | null;
          answered_by: string | null;
          body: string;
          contact_id: string;
          created_at: string;
          from_email: string | null;
          id: string;
          outcome: string | null;
          topic: string;
        };
        ComputedFields: never;
        Insert: {
          answer?: string | null;
          answered_at?: string | null;
          answered_by?: string | null;
          body: string;
          contact_id: string;
          created_at?: string;
          from_email?: string | null;
          id: string;
          outcome?: string | null;
          topic: string;
        };
        Update: {
          answer?: string | null;
          answered_at?: string | null;
          answered_by?: string | null;
          body?: string;
          contact_id?: string;
          created_at?: string;
          from_email?: string | null;
          id?: string;
          outcome?: string | null;
          topic?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'contact_messages_contact_id_fkey';
            columns: ['contact_id'];
            isOneToOne: false;
            referencedRelation: 'contacts';
            referencedColumns: ['id'];
          },
        ];
      };
      contacts: {
        Row: {
          bounced_at: string | null;
          business: string | null;
          businesses: string[];
          confirm_expires_at: string | null;
          confirm_hash: string | null;
          consent_wording: string | null;
          consented_at: string | null;
          created_at: string;
          email: string;
          has_twin: boolean;
          id: string;
          imported_at: string | null;
          last_active_at: string;
          leave_hash: string | null;
          left_at: string | null;
          messages: number;
          name: string | null;
          newsletter: string;
          other_emails: string[];
          phone: string | null;
          user_id: string | null;
          waiting: number;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          bounced_at?: string | null;
          business?: string | null;
          businesses?: string[];
          confirm_expires_at?: string | null;
          confirm_hash?: string | null;
          consent_wording?: string | null;
          consented_at?: string | null;
          created_at?: string;
          email: string;
          has_twin?: boolean;
          id?: string;
          imported_at?: string | null;
          last_active_at?: string;
          leave_hash?: string | null;
          left_at?: string | null;
          messages?: number;
          name?: string | null;
          newsletter?: string;
          other_emails?: string[];
          phone?: string | null;
          user_id?: string | null;
          waiting?: number;
          words?: never;
        };
        Update: {
          bounced_at?: string | null;
          business?: string | null;
          businesses?: string[];
          confirm_expires_at?: string | null;
          confirm_hash?: string | null;
          consent_wording?: string | null;
          consented_at?: string | null;
          created_at?: string;
          email?: string;
          has_twin?: boolean;
          id?: string;
          imported_at?: string | null;
          last_active_at?: string;
          leave_hash?: string | null;
          left_at?: string | null;
          messages?: number;
          name?: string | null;
          newsletter?: string;
          other_emails?: string[];
          phone?: string | null;
          user_id?: string | null;
          waiting?: number;
          words?: never;
        };
        Relationships: [];
      };
      conversation_participants: {
        Row: {
          active_at: string | null;
          as_coach: boolean;
          conversation_id: string;
          from_seq: number;
          joined_at: string;
          left_at: string | null;
          mailed_seq: number;
          muted: boolean;
          read_seq: number;
          unread: number;
          unread_at: string | null;
          unread_since: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          active_at?: string | null;
          as_coach?: boolean;
          conversation_id: string;
          from_seq?: number;
          joined_at?: string;
          left_at?: string | null;
          mailed_seq?: number;
          muted?: boolean;
          read_seq?: number;
          unread?: number;
          unread_at?: string | null;
          unread_since?: string | null;
          user_id: string;
        };
        Update: {
          active_at?: string | null;
          as_coach?: boolean;
          conversation_id?: string;
          from_seq?: number;
          joined_at?: string;
          left_at?: string | null;
          mailed_seq?: number;
          muted?: boolean;
          read_seq?: number;
          unread?: number;
          unread_at?: string | null;
          unread_since?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'conversation_participants_conversation_id_fkey';
            columns: ['conversation_id'];
            isOneToOne: false;
            referencedRelation: 'conversations';
            referencedColumns: ['id'];
          },
        ];
      };
      conversations: {
        Row: {
          about_user_id: string | null;
          created_at: string;
          created_by: string | null;
          direct_pair: string | null;
          engagement_id: string | null;
          epoch: number;
          id: string;
          kind: string;
          last_message_at: string | null;
          last_seq: number;
          project_id: string | null;
          revision: number;
        };
        ComputedFields: never;
        Insert: {
          about_user_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          direct_pair?: string | null;
          engagement_id?: string | null;
          epoch?: number;
          id: string;
          kind: string;
          last_message_at?: string | null;
          last_seq?: number;
          project_id?: string | null;
          revision?: number;
        };
        Update: {
          about_user_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          direct_pair?: string | null;
          engagement_id?: string | null;
          epoch?: number;
          id?: string;
          kind?: string;
          last_message_at?: string | null;
          last_seq?: number;
          project_id?: string | null;
          revision?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'conversations_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: true;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'conversations_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: true;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      demographics: {
        Row: {
          age_group: string | null;
          disability: boolean | null;
          gender: string | null;
          origins: string[];
          place: string | null;
          updated_at: string;
          user_id: string;
          veteran: boolean | null;
        };
        ComputedFields: never;
        Insert: {
          age_group?: string | null;
          disability?: boolean | null;
          gender?: string | null;
          origins?: string[];
          place?: string | null;
          updated_at?: string;
          user_id: string;
          veteran?: boolean | null;
        };
        Update: {
          age_group?: string | null;
          disability?: boolean | null;
          gender?: string | null;
          origins?: string[];
          place?: string | null;
          updated_at?: string;
          user_id?: string;
          veteran?: boolean | null;
        };
        Relationships: [];
      };
      disputes: {
        Row: {
          amount_minor: number;
          created_at: string;
          payment_ref: string;
          ref: string;
          reported_at: string;
          state: string;
        };
        ComputedFields: never;
        Insert: {
          amount_minor: number;
          created_at?: string;
          payment_ref: string;
          ref: string;
          reported_at: string;
          state: string;
        };
        Update: {
          amount_minor?: number;
          created_at?: string;
          payment_ref?: string;
          ref?: string;
          reported_at?: string;
          state?: string;
        };
        Relationships: [];
      };
      engagement_events: {
        Row: {
          actor_id: string | null;
          at: string;
          details: NonNullable<Json>;
          engagement_id: string;
          from_state: string | null;
          id: number;
          kind: string;
          note: string | null;
          to_state: string | null;
        };
        ComputedFields: never;
        Insert: {
          actor_id?: string | null;
          at?: string;
          details?: NonNullable<Json>;
          engagement_id: string;
          from_state?: string | null;
          id?: never;
          kind: string;
          note?: string | null;
          to_state?: string | null;
        };
        Update: {
          actor_id?: string | null;
          at?: string;
          details?: NonNullable<Json>;
          engagement_id?: string;
          from_state?: string | null;
          id?: never;
          kind?: string;
          note?: string | null;
          to_state?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'engagement_events_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
        ];
      };
      engagements: {
        Row: {
          accepted_at: string | null;
          active_at: string | null;
          areas: string[];
          assigned_at: string | null;
          business_id: string;
          change_requested_at: string | null;
          closed_at: string | null;
          closing_summary: string | null;
          coach_id: string | null;
          due_at: string | null;
          due_what: string | null;
          id: string;
          note: string | null;
          owner_id: string | null;
          referral: string | null;
          requested_at: string;
          results_shared: boolean;
          resume_on: string | null;
          state: string;
          state_since: string;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          accepted_at?: string | null;
          active_at?: string | null;
          areas?: string[];
          assigned_at?: string | null;
          business_id: string;
          change_requested_at?: string | null;
          closed_at?: string | null;
          closing_summary?: string | null;
          coach_id?: string | null;
          due_at?: string | null;
          due_what?: string | null;
          id: string;
          note?: string | null;
          owner_id?: string | null;
          referral?: string | null;
          requested_at?: string;
          results_shared?: boolean;
          resume_on?: string | null;
          state?: string;
          state_since?: string;
          updated_at?: string;
        };
        Update: {
          accepted_at?: string | null;
          active_at?: string | null;
          areas?: string[];
          assigned_at?: string | null;
          business_id?: string;
          change_requested_at?: string | null;
          closed_at?: string | null;
          closing_summary?: string | null;
          coach_id?: string | null;
          due_at?: string | null;
          due_what?: string | null;
          id?: string;
          note?: string | null;
          owner_id?: string | null;
          referral?: string | null;
          requested_at?: string;
          results_shared?: boolean;
          resume_on?: string | null;
          state?: string;
          state_since?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'engagements_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      event_signups: {
        Row: {
          came: boolean | null;
          cancel_reason: string | null;
          created_at: string;
          day_reminder_for: string | null;
          due_at: string | null;
          email: string | null;
          event_id: string;
          hour_reminder_for: string | null;
          id: string;
          name: string | null;
          queued_at: string;
          state: string;
          taken_at: string | null;
          wish: string | null;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          came?: boolean | null;
          cancel_reason?: string | null;
          created_at?: string;
          day_reminder_for?: string | null;
          due_at?: string | null;
          email?: string | null;
          event_id: string;
          hour_reminder_for?: string | null;
          id?: string;
          name?: string | null;
          queued_at?: string;
          state: string;
          taken_at?: string | null;
          wish?: string | null;
          words?: never;
        };
        Update: {
          came?: boolean | null;
          cancel_reason?: string | null;
          created_at?: string;
          day_reminder_for?: string | null;
          due_at?: string | null;
          email?: string | null;
          event_id?: string;
          hour_reminder_for?: string | null;
          id?: string;
          name?: string | null;
          queued_at?: string;
          state?: string;
          taken_at?: string | null;
          wish?: string | null;
          words?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'event_signups_event_id_fkey';
            columns: ['event_id'];
            isOneToOne: false;
            referencedRelation: 'events';
            referencedColumns: ['id'];
          },
        ];
      };
      events: {
        Row: {
          address: string | null;
          cancel_reason: string | null;
          canceled_at: string | null;
          created_at: string;
          id: string;
          minutes: number;
          occasion: string;
          online_link: string | null;
          place: string;
          places: number;
          revision: number;
          slug: string;
          starts_at: string;
          state: string;
          time_zone: string;
          title: string;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          address?: string | null;
          cancel_reason?: string | null;
          canceled_at?: string | null;
          created_at?: string;
          id?: string;
          minutes: number;
          occasion: string;
          online_link?: string | null;
          place: string;
          places: number;
          revision?: number;
          slug: string;
          starts_at: string;
          state?: string;
          time_zone: string;
          title: string;
          words?: never;
        };
        Update: {
          address?: string | null;
          cancel_reason?: string | null;
          canceled_at?: string | null;
          created_at?: string;
          id?: string;
          minutes?: number;
          occasion?: string;
          online_link?: string | null;
          place?: string;
          places?: number;
          revision?: number;
          slug?: string;
          starts_at?: string;
          state?: string;
          time_zone?: string;
          title?: string;
          words?: never;
        };
        Relationships: [];
      };
      focus_actions: {
        Row: {
          body: string;
          created_at: string;
          due_on: string;
          focus_area_id: string;
          id: string;
          question_key: string | null;
          remind: boolean;
          settled_at: string | null;
          state: string;
        };
        ComputedFields: never;
        Insert: {
          body: string;
          created_at?: string;
          due_on: string;
          focus_area_id: string;
          id: string;
          question_key?: string | null;
          remind?: boolean;
          settled_at?: string | null;
          state?: string;
        };
        Update: {
          body?: string;
          created_at?: string;
          due_on?: string;
          focus_area_id?: string;
          id?: string;
          question_key?: string | null;
          remind?: boolean;
          settled_at?: string | null;
          state?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'focus_actions_focus_area_id_fkey';
            columns: ['focus_area_id'];
            isOneToOne: false;
            referencedRelation: 'focus_areas';
            referencedColumns: ['id'];
          },
        ];
      };
      focus_areas: {
        Row: {
          area_key: string;
          attempt_id: string;
          chosen_at: string;
          ended_at: string | null;
          id: string;
          state: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          area_key: string;
          attempt_id: string;
          chosen_at?: string;
          ended_at?: string | null;
          id: string;
          state?: string;
          user_id: string;
        };
        Update: {
          area_key?: string;
          attempt_id?: string;
          chosen_at?: string;
          ended_at?: string | null;
          id?: string;
          state?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'focus_areas_attempt_id_area_key_fkey';
            columns: ['attempt_id', 'area_key'];
            isOneToOne: false;
            referencedRelation: 'area_scores';
            referencedColumns: ['attempt_id', 'area_key'];
          },
        ];
      };
      focus_reminders: {
        Row: {
          action_id: string;
          due_on: string;
          sent_at: string;
          stage: string;
        };
        ComputedFields: never;
        Insert: {
          action_id: string;
          due_on: string;
          sent_at?: string;
          stage: string;
        };
        Update: {
          action_id?: string;
          due_on?: string;
          sent_at?: string;
          stage?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'focus_reminders_action_id_fkey';
            columns: ['action_id'];
            isOneToOne: false;
            referencedRelation: 'focus_actions';
            referencedColumns: ['id'];
          },
        ];
      };
      handovers: {
        Row: {
          added: string | null;
          created_at: string;
          engagement_id: string;
          from_coach_id: string | null;
          handed_at: string | null;
          id: string;
          note: string | null;
          packet: NonNullable<Json>;
          to_coach_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          added?: string | null;
          created_at?: string;
          engagement_id: string;
          from_coach_id?: string | null;
          handed_at?: string | null;
          id?: string;
          note?: string | null;
          packet?: NonNullable<Json>;
          to_coach_id?: string | null;
        };
        Update: {
          added?: string | null;
          created_at?: string;
          engagement_id?: string;
          from_coach_id?: string | null;
          handed_at?: string | null;
          id?: string;
          note?: string | null;
          packet?: NonNullable<Json>;
          to_coach_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'handovers_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
        ];
      };
      memberships: {
        Row: {
          ends_with_period: boolean;
          order_id: string;
          period_ends_at: string | null;
          ref: string;
          reported_at: string;
          state: string;
        };
        ComputedFields: never;
        Insert: {
          ends_with_period?: boolean;
          order_id: string;
          period_ends_at?: string | null;
          ref: string;
          reported_at: string;
          state: string;
        };
        Update: {
          ends_with_period?: boolean;
          order_id?: string;
          period_ends_at?: string | null;
          ref?: string;
          reported_at?: string;
          state?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'memberships_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: true;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      message_attachments: {
        Row: {
          conversation_id: string;
          created_at: string;
          height: number | null;
          id: string;
          message_id: string | null;
          name: string;
          path: string;
          place: number;
          size: number;
          state: string;
          type: string;
          uploaded_by: string | null;
          width: number | null;
        };
        ComputedFields: never;
        Insert: {
          conversation_id: string;
          created_at?: string;
          height?: number | null;
          id: string;
          message_id?: string | null;
          name: string;
          path?: never;
          place?: number;
          size: number;
          state?: string;
          type: string;
          uploaded_by?: string | null;
          width?: number | null;
        };
        Update: {
          conversation_id?: string;
          created_at?: string;
          height?: number | null;
          id?: string;
          message_id?: string | null;
          name?: string;
          path?: never;
          place?: number;
          size?: number;
          state?: string;
          type?: string;
          uploaded_by?: string | null;
          width?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'message_attachments_conversation_id_fkey';
            columns: ['conversation_id'];
            isOneToOne: false;
            referencedRelation: 'conversations';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'message_attachments_message_id_fkey';
            columns: ['message_id'];
            isOneToOne: false;
            referencedRelation: 'messages';
            referencedColumns: ['id'];
          },
        ];
      };
      message_drafts: {
        Row: {
          body: string;
          conversation_id: string;
          reply_to: string | null;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          body: string;
          conversation_id: string;
          reply_to?: string | null;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          body?: string;
          conversation_id?: string;
          reply_to?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'message_drafts_conversation_id_fkey';
            columns: ['conversation_id'];
            isOneToOne: false;
            referencedRelation: 'conversations';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'message_drafts_reply_to_fkey';
            columns: ['reply_to'];
            isOneToOne: false;
            referencedRelation: 'messages';
            referencedColumns: ['id'];
          },
        ];
      };
      message_reports: {
        Row: {
          author_id: string | null;
          conversation_id: string | null;
          created_at: string;
          id: string;
          message_id: string | null;
          note: string | null;
          outcome: string | null;
          reason: string;
          reporter_id: string | null;
          said: string;
          settled_at: string | null;
          settled_by: string | null;
          state: string;
        };
        ComputedFields: never;
        Insert: {
          author_id?: string | null;
          conversation_id?: string | null;
          created_at?: string;
          id: string;
          message_id?: string | null;
          note?: string | null;
          outcome?: string | null;
          reason: string;
          reporter_id?: string | null;
          said: string;
          settled_at?: string | null;
          settled_by?: string | null;
          state?: string;
        };
        Update: {
          author_id?: string | null;
          conversation_id?: string | null;
          created_at?: string;
          id?: string;
          message_id?: string | null;
          note?: string | null;
          outcome?: string | null;
          reason?: string;
          reporter_id?: string | null;
          said?: string;
          settled_at?: string | null;
          settled_by?: string | null;
          state?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'message_reports_conversation_id_fkey';
            columns: ['conversation_id'];
            isOneToOne: false;
            referencedRelation: 'conversations';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'message_reports_message_id_fkey';
            columns: ['message_id'];
            isOneToOne: false;
            referencedRelation: 'messages';
            referencedColumns: ['id'];
          },
        ];
      };
      messages: {
        Row: {
          author_id: string | null;
          body: string | null;
          conversation_id: string;
          edited_at: string | null;
          id: string;
          removed_at: string | null;
          reply_to: string | null;
          revision: number;
          sent_at: string;
          seq: number;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          author_id?: string | null;
          body?: string | null;
          conversation_id: string;
          edited_at?: string | null;
          id: string;
          removed_at?: string | null;
          reply_to?: string | null;
          revision: number;
          sent_at?: string;
          seq: number;
          words?: never;
        };
        Update: {
          author_id?: string | null;
          body?: string | null;
          conversation_id?: string;
          edited_at?: string | null;
          id?: string;
          removed_at?: string | null;
          reply_to?: string | null;
          revision?: number;
          sent_at?: string;
          seq?: number;
          words?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'messages_conversation_id_fkey';
            columns: ['conversation_id'];
            isOneToOne: false;
            referencedRelation: 'conversations';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'messages_reply_to_fkey';
            columns: ['reply_to'];
            isOneToOne: false;
            referencedRelation: 'messages';
            referencedColumns: ['id'];
          },
        ];
      };
      newsletter_deliveries: {
        Row: {
          attempts: number;
          contact_id: string;
          failing_since: string | null;
          finished_at: string | null;
          id: string;
          issue_id: string;
          last_error: string | null;
          leave_hash: string | null;
          leave_secret: string | null;
          run_at: string;
          state: string;
        };
        ComputedFields: never;
        Insert: {
          attempts?: number;
          contact_id: string;
          failing_since?: string | null;
          finished_at?: string | null;
          id?: string;
          issue_id: string;
          last_error?: string | null;
          leave_hash?: string | null;
          leave_secret?: string | null;
          run_at?: string;
          state?: string;
        };
        Update: {
          attempts?: number;
          contact_id?: string;
          failing_since?: string | null;
          finished_at?: string | null;
          id?: string;
          issue_id?: string;
          last_error?: string | null;
          leave_hash?: string | null;
          leave_secret?: string | null;
          run_at?: string;
          state?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'newsletter_deliveries_contact_id_fkey';
            columns: ['contact_id'];
            isOneToOne: false;
            referencedRelation: 'contacts';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'newsletter_deliveries_issue_id_fkey';
            columns: ['issue_id'];
            isOneToOne: false;
            referencedRelation: 'newsletter_issues';
            referencedColumns: ['id'];
          },
        ];
      };
      newsletter_issues: {
        Row: {
          begun_at: string | null;
          body: string;
          created_at: string;
          created_by: string | null;
          delivered: number;
          finished_at: string | null;
          id: string;
          preview: string;
          recipients: number;
          refused: number;
          revision: number;
          send_at: string | null;
          sent_by: string | null;
          slug: string | null;
          state: string;
          subject: string;
          updated_at: string;
          updated_by: string | null;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          begun_at?: string | null;
          body?: string;
          created_at?: string;
          created_by?: string | null;
          delivered?: number;
          finished_at?: string | null;
          id: string;
          preview?: string;
          recipients?: number;
          refused?: number;
          revision?: number;
          send_at?: string | null;
          sent_by?: string | null;
          slug?: string | null;
          state?: string;
          subject?: string;
          updated_at?: string;
          updated_by?: string | null;
          words?: never;
        };
        Update: {
          begun_at?: string | null;
          body?: string;
          created_at?: string;
          created_by?: string | null;
          delivered?: number;
          finished_at?: string | null;
          id?: string;
          preview?: string;
          recipients?: number;
          refused?: number;
          revision?: number;
          send_at?: string | null;
          sent_by?: string | null;
          slug?: string | null;
          state?: string;
          subject?: string;
          updated_at?: string;
          updated_by?: string | null;
          words?: never;
        };
        Relationships: [];
      };
      notification_settings: {
        Row: {
          coaching: boolean;
          message_text: boolean;
          messages: boolean;
          news: boolean;
          reminders: boolean;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          coaching?: boolean;
          message_text?: boolean;
          messages?: boolean;
          news?: boolean;
          reminders?: boolean;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          coaching?: boolean;
          message_text?: boolean;
          messages?: boolean;
          news?: boolean;
          reminders?: boolean;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      notifications: {
        Row: {
          body: string;
          created_at: string;
          id: string;
          key: string;
          kind: string;
          path: string;
          read_at: string | null;
          title: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          body: string;
          created_at?: string;
          id?: string;
          key: string;
          kind: string;
          path: string;
          read_at?: string | null;
          title: string;
          user_id: string;
        };
        Update: {
          body?: string;
          created_at?: string;
          id?: string;
          key?: string;
          kind?: string;
          path?: string;
          read_at?: string | null;
          title?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      order_events: {
        Row: {
          actor_id: string | null;
          at: string;
          from_state: string | null;
          id: number;
          note: string | null;
          order_id: string;
          to_state: string;
        };
        ComputedFields: never;
        Insert: {
          actor_id?: string | null;
          at?: string;
          from_state?: string | null;
          id?: never;
          note?: string | null;
          order_id: string;
          to_state: string;
        };
        Update: {
          actor_id?: string | null;
          at?: string;
          from_state?: string | null;
          id?: never;
          note?: string | null;
          order_id?: string;
          to_state?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'order_events_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      order_files: {
        Row: {
          created_at: string;
          id: string;
          name: string;
          order_id: string;
          path: string;
          sent_at: string | null;
          size: number;
          type: string;
          uploaded_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          id: string;
          name: string;
          order_id: string;
          path?: never;
          sent_at?: string | null;
          size: number;
          type: string;
          uploaded_by?: string | null;
        };
        Update: {
          created_at?: string;
          id?: string;
          name?: string;
          order_id?: string;
          path?: never;
          sent_at?: string | null;
          size?: number;
          type?: string;
          uploaded_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'order_files_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      order_lines: {
        Row: {
          amount_minor: number;
          description: string;
          every: string;
          order_id: string;
          plan_key: string | null;
          position: number;
          quantity: number;
          tax_minor: number;
          tax_name: string | null;
          tax_rate: number;
          unit_minor: number;
        };
        ComputedFields: never;
        Insert: {
          amount_minor?: never;
          description: string;
          every?: string;
          order_id: string;
          plan_key?: string | null;
          position: number;
          quantity: number;
          tax_minor?: never;
          tax_name?: string | null;
          tax_rate?: number;
          unit_minor: number;
        };
        Update: {
          amount_minor?: never;
          description?: string;
          every?: string;
          order_id?: string;
          plan_key?: string | null;
          position?: number;
          quantity?: number;
          tax_minor?: never;
          tax_name?: string | null;
          tax_rate?: number;
          unit_minor?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'order_lines_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'order_lines_plan_key_fkey';
            columns: ['plan_key'];
            isOneToOne: false;
            referencedRelation: 'plans';
            referencedColumns: ['key'];
          },
        ];
      };
      orders: {
        Row: {
          billing_address: string | null;
          billing_email: string | null;
          billing_name: string | null;
          billing_organization: string | null;
          billing_region: string | null;
          business_id: string | null;
          buyer_id: string | null;
          checkout_ref: string | null;
          created_at: string;
          currency: string;
          customer_ref: string | null;
          disputed_minor: number;
          id: string;
          invoice_due_on: string | null;
          invoice_number: string | null;
          invoiced_at: string | null;
          is_test: boolean;
          method: string;
          note: string | null;
          paid_minor: number;
          po_number: string | null;
          po_received_at: string | null;
          quote_expires_at: string | null;
          quote_number: string | null;
          quoted_at: string | null;
          refunded_minor: number;
          reminders: number;
          state: string;
          state_since: string;
          subtotal_minor: number;
          tax_exempt: boolean;
          tax_minor: number;
          total_minor: number;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          billing_address?: string | null;
          billing_email?: string | null;
          billing_name?: string | null;
          billing_organization?: string | null;
          billing_region?: string | null;
          business_id?: string | null;
          buyer_id?: string | null;
          checkout_ref?: string | null;
          created_at?: string;
          currency: string;
          customer_ref?: string | null;
          disputed_minor?: number;
          id: string;
          invoice_due_on?: string | null;
          invoice_number?: string | null;
          invoiced_at?: string | null;
          is_test?: boolean;
          method: string;
          note?: string | null;
          paid_minor?: number;
          po_number?: string | null;
          po_received_at?: string | null;
          quote_expires_at?: string | null;
          quote_number?: string | null;
          quoted_at?: string | null;
          refunded_minor?: number;
          reminders?: number;
          state?: string;
          state_since?: string;
          subtotal_minor?: number;
          tax_exempt?: boolean;
          tax_minor?: number;
          total_minor?: never;
          words?: never;
        };
        Update: {
          billing_address?: string | null;
          billing_email?: string | null;
          billing_name?: string | null;
          billing_organization?: string | null;
          billing_region?: string | null;
          business_id?: string | null;
          buyer_id?: string | null;
          checkout_ref?: string | null;
          created_at?: string;
          currency?: string;
          customer_ref?: string | null;
          disputed_minor?: number;
          id?: string;
          invoice_due_on?: string | null;
          invoice_number?: string | null;
          invoiced_at?: string | null;
          is_test?: boolean;
          method?: string;
          note?: string | null;
          paid_minor?: number;
          po_number?: string | null;
          po_received_at?: string | null;
          quote_expires_at?: string | null;
          quote_number?: string | null;
          quoted_at?: string | null;
          refunded_minor?: number;
          reminders?: number;
          state?: string;
          state_since?: string;
          subtotal_minor?: number;
          tax_exempt?: boolean;
          tax_minor?: number;
          total_minor?: never;
          words?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'orders_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
        ];
      };
      page_views: {
        Row: {
          day: string;
          path: string;
          route: string;
          views: number;
        };
        ComputedFields: never;
        Insert: {
          day: string;
          path: string;
          route: string;
          views: number;
        };
        Update: {
          day?: string;
          path?: string;
          route?: string;
          views?: number;
        };
        Relationships: [];
      };
      payments: {
        Row: {
          amount_minor: number;
          created_at: string;
          currency: string;
          id: string;
          method: string;
          note: string | null;
          order_id: string;
          period_ends_at: string | null;
          period_starts_at: string | null;
          received_at: string;
          recorded_by: string | null;
          ref: string;
        };
        ComputedFields: never;
        Insert: {
          amount_minor: number;
          created_at?: string;
          currency: string;
          id?: string;
          method: string;
          note?: string | null;
          order_id: string;
          period_ends_at?: string | null;
          period_starts_at?: string | null;
          received_at: string;
          recorded_by?: string | null;
          ref: string;
        };
        Update: {
          amount_minor?: number;
          created_at?: string;
          currency?: string;
          id?: string;
          method?: string;
          note?: string | null;
          order_id?: string;
          period_ends_at?: string | null;
          period_starts_at?: string | null;
          received_at?: string;
          recorded_by?: string | null;
          ref?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'payments_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      plans: {
        Row: {
          fewest: number;
          for_members: boolean;
          gives: string;
          key: string;
          months: number;
          most: number;
          name: string;
          position: number;
          sessions: number;
        };
        ComputedFields: never;
        Insert: {
          fewest?: number;
          for_members?: boolean;
          gives: string;
          key: string;
          months: number;
          most?: number;
          name: string;
          position: number;
          sessions: number;
        };
        Update: {
          fewest?: number;
          for_members?: boolean;
          gives?: string;
          key?: string;
          months?: number;
          most?: number;
          name?: string;
          position?: number;
          sessions?: number;
        };
        Relationships: [];
      };
      prices: {
        Row: {
          amount_minor: number;
          by_admin: boolean;
          created_at: string;
          currency: string;
          ended_at: string | null;
          every: string;
          id: string;
          plan_key: string;
        };
        ComputedFields: never;
        Insert: {
          amount_minor: number;
          by_admin?: boolean;
          created_at?: string;
          currency: string;
          ended_at?: string | null;
          every: string;
          id?: string;
          plan_key: string;
        };
        Update: {
          amount_minor?: number;
          by_admin?: boolean;
          created_at?: string;
          currency?: string;
          ended_at?: string | null;
          every?: string;
          id?: string;
          plan_key?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'prices_plan_key_fkey';
            columns: ['plan_key'];
            isOneToOne: false;
            referencedRelation: 'plans';
            referencedColumns: ['key'];
          },
        ];
      };
      profiles: {
        Row: {
          avatar_path: string | null;
          created_at: string;
          full_name: string;
          languages: string[];
          locale: string;
          phone: string | null;
          preferred_name: string | null;
          time_zone: string | null;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          avatar_path?: string | null;
          created_at?: string;
          full_name?: string;
          languages?: string[];
          locale?: string;
          phone?: string | null;
          preferred_name?: string | null;
          time_zone?: string | null;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          avatar_path?: string | null;
          created_at?: string;
          full_name?: string;
          languages?: string[];
          locale?: string;
          phone?: string | null;
          preferred_name?: string | null;
          time_zone?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      program_consents: {
        Row: {
          body: string;
          created_at: string;
          created_by: string | null;
          program_id: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          body: string;
          created_at?: string;
          created_by?: string | null;
          program_id: string;
          version: number;
        };
        Update: {
          body?: string;
          created_at?: string;
          created_by?: string | null;
          program_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'program_consents_program_id_fkey';
            columns: ['program_id'];
            isOneToOne: false;
            referencedRelation: 'programs';
            referencedColumns: ['id'];
          },
        ];
      };
      program_reports: {
        Row: {
          figures: NonNullable<Json>;
          made_at: string;
          period: string;
          program_id: string;
        };
        ComputedFields: never;
        Insert: {
          figures: NonNullable<Json>;
          made_at?: string;
          period: string;
          program_id: string;
        };
        Update: {
          figures?: NonNullable<Json>;
          made_at?: string;
          period?: string;
          program_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'program_reports_program_id_fkey';
            columns: ['program_id'];
            isOneToOne: false;
            referencedRelation: 'programs';
            referencedColumns: ['id'];
          },
        ];
      };
      program_sponsors: {
        Row: {
          added_at: string;
          added_by: string | null;
          address: string;
          program_id: string;
        };
        ComputedFields: never;
        Insert: {
          added_at?: string;
          added_by?: string | null;
          address: string;
          program_id: string;
        };
        Update: {
          added_at?: string;
          added_by?: string | null;
          address?: string;
          program_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'program_sponsors_program_id_fkey';
            columns: ['program_id'];
            isOneToOne: false;
            referencedRelation: 'programs';
            referencedColumns: ['id'];
          },
        ];
      };
      programs: {
        Row: {
          consent_version: number;
          created_at: string;
          created_by: string | null;
          email_domains: string[];
          ends_on: string;
          groups_by: string;
          has_report: boolean;
          id: string;
          name: string;
          order_id: string | null;
          postal_prefixes: string[];
          reason: string | null;
          sessions: number;
          sponsor: string;
          starts_on: string;
          state: string;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          consent_version?: number;
          created_at?: string;
          created_by?: string | null;
          email_domains?: string[];
          ends_on: string;
          groups_by?: string;
          has_report?: boolean;
          id: string;
          name: string;
          order_id?: string | null;
          postal_prefixes?: string[];
          reason?: string | null;
          sessions: number;
          sponsor: string;
          starts_on: string;
          state?: string;
          words?: never;
        };
        Update: {
          consent_version?: number;
          created_at?: string;
          created_by?: string | null;
          email_domains?: string[];
          ends_on?: string;
          groups_by?: string;
          has_report?: boolean;
          id?: string;
          name?: string;
          order_id?: string | null;
          postal_prefixes?: string[];
          reason?: string | null;
          sessions?: number;
          sponsor?: string;
          starts_on?: string;
          state?: string;
          words?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'programs_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: true;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      project_events: {
        Row: {
          actor_id: string | null;
          at: string;
          business_id: string;
          from_status: string | null;
          id: number;
          kind: string;
          note: string | null;
          project_id: string;
          to_status: string | null;
        };
        ComputedFields: never;
        Insert: {
          actor_id?: string | null;
          at?: string;
          business_id: string;
          from_status?: string | null;
          id?: never;
          kind: string;
          note?: string | null;
          project_id: string;
          to_status?: string | null;
        };
        Update: {
          actor_id?: string | null;
          at?: string;
          business_id?: string;
          from_status?: string | null;
          id?: never;
          kind?: string;
          note?: string | null;
          project_id?: string;
          to_status?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'project_events_project_id_business_id_fkey';
            columns: ['project_id', 'business_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id', 'business_id'];
          },
        ];
      };
      project_files: {
        Row: {
          business_id: string;
          created_at: string;
          id: string;
          name: string;
          path: string;
          project_id: string;
          size: number;
          state: string;
          type: string;
          uploaded_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          business_id: string;
          created_at?: string;
          id: string;
          name: string;
          path: string;
          project_id: string;
          size: number;
          state?: string;
          type: string;
          uploaded_by?: string | null;
        };
        Update: {
          business_id?: string;
          created_at?: string;
          id?: string;
          name?: string;
          path?: string;
          project_id?: string;
          size?: number;
          state?: string;
          type?: string;
          uploaded_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'project_files_project_id_business_id_fkey';
            columns: ['project_id', 'business_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id', 'business_id'];
          },
        ];
      };
      project_tasks: {
        Row: {
          blocked_reason: string | null;
          business_id: string;
          created_at: string;
          created_by: string | null;
          done_at: string | null;
          due_on: string | null;
          id: string;
          position: number;
          project_id: string;
          removed_at: string | null;
          revision: number;
          state: string;
          title: string;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          blocked_reason?: string | null;
          business_id: string;
          created_at?: string;
          created_by?: string | null;
          done_at?: string | null;
          due_on?: string | null;
          id: string;
          position: number;
          project_id: string;
          removed_at?: string | null;
          revision?: number;
          state?: string;
          title: string;
          updated_at?: string;
        };
        Update: {
          blocked_reason?: string | null;
          business_id?: string;
          created_at?: string;
          created_by?: string | null;
          done_at?: string | null;
          due_on?: string | null;
          id?: string;
          position?: number;
          project_id?: string;
          removed_at?: string | null;
          revision?: number;
          state?: string;
          title?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'project_tasks_project_id_business_id_fkey';
            columns: ['project_id', 'business_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id', 'business_id'];
          },
        ];
      };
      project_updates: {
        Row: {
          at: string;
          author_id: string | null;
          body: string;
          business_id: string;
          id: string;
          project_id: string;
        };
        ComputedFields: never;
        Insert: {
          at?: string;
          author_id?: string | null;
          body: string;
          business_id: string;
          id: string;
          project_id: string;
        };
        Update: {
          at?: string;
          author_id?: string | null;
          body?: string;
          business_id?: string;
          id?: string;
          project_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'project_updates_project_id_business_id_fkey';
            columns: ['project_id', 'business_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id', 'business_id'];
          },
        ];
      };
      projects: {
        Row: {
          area_key: string | null;
          baseline: string | null;
          blocked_reason: string | null;
          business_id: string;
          created_at: string;
          created_by: string | null;
          done_count: number;
          due_on: string | null;
          engagement_id: string | null;
          id: string;
          outcome: string | null;
          revision: number;
          saved_by: string | null;
          start_on: string | null;
          status: string;
          task_count: number;
          title: string;
          updated_at: string;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          area_key?: string | null;
          baseline?: string | null;
          blocked_reason?: string | null;
          business_id: string;
          created_at?: string;
          created_by?: string | null;
          done_count?: number;
          due_on?: string | null;
          engagement_id?: string | null;
          id: string;
          outcome?: string | null;
          revision?: number;
          saved_by?: string | null;
          start_on?: string | null;
          status?: string;
          task_count?: number;
          title: string;
          updated_at?: string;
          words?: never;
        };
        Update: {
          area_key?: string | null;
          baseline?: string | null;
          blocked_reason?: string | null;
          business_id?: string;
          created_at?: string;
          created_by?: string | null;
          done_count?: number;
          due_on?: string | null;
          engagement_id?: string | null;
          id?: string;
          outcome?: string | null;
          revision?: number;
          saved_by?: string | null;
          start_on?: string | null;
          status?: string;
          task_count?: number;
          title?: string;
          updated_at?: string;
          words?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'projects_area_key_fkey';
            columns: ['area_key'];
            isOneToOne: false;
            referencedRelation: 'skill_areas';
            referencedColumns: ['key'];
          },
          {
            foreignKeyName: 'projects_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'projects_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
        ];
      };
      quiz_claims: {
        Row: {
          answers: NonNullable<Json>;
          claim_hash: string;
          confidences: NonNullable<Json>;
          created_at: string;
          expires_at: string;
          kind: string;
          version_id: string;
        };
        ComputedFields: never;
        Insert: {
          answers: NonNullable<Json>;
          claim_hash: string;
          confidences: NonNullable<Json>;
          created_at?: string;
          expires_at?: string;
          kind: string;
          version_id: string;
        };
        Update: {
          answers?: NonNullable<Json>;
          claim_hash?: string;
          confidences?: NonNullable<Json>;
          created_at?: string;
          expires_at?: string;
          kind?: string;
          version_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'quiz_claims_version_id_fkey';
            columns: ['version_id'];
            isOneToOne: false;
            referencedRelation: 'quiz_versions';
            referencedColumns: ['id'];
          },
        ];
      };
      quiz_questions: {
        Row: {
          action: string;
          anchors: string[];
          area_key: string;
          first_look: boolean;
          help: string | null;
          key: string;
          meaning: number;
          position: number;
          practice: string;
          text: string;
          version_id: string;
          weight: number;
        };
        ComputedFields: never;
        Insert: {
          action: string;
          anchors: string[];
          area_key: string;
          first_look?: boolean;
          help?: string | null;
          key: string;
          meaning?: number;
          position: number;
          practice: string;
          text: string;
          version_id: string;
          weight: number;
        };
        Update: {
          action?: string;
          anchors?: string[];
          area_key?: string;
          first_look?: boolean;
          help?: string | null;
          key?: string;
          meaning?: number;
          position?: number;
          practice?: string;
          text?: string;
          version_id?: string;
          weight?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'quiz_questions_version_id_area_key_fkey';
            columns: ['version_id', 'area_key'];
            isOneToOne: false;
            referencedRelation: 'quiz_version_areas';
            referencedColumns: ['version_id', 'area_key'];
          },
        ];
      };
      quiz_version_areas: {
        Row: {
          area_key: string;
          importance: number;
          skip_help: string | null;
          skip_question: string | null;
          version_id: string;
        };
        ComputedFields: never;
        Insert: {
          area_key: string;
          importance: number;
          skip_help?: string | null;
          skip_question?: string | null;
          version_id: string;
        };
        Update: {
          area_key?: string;
          importance?: number;
          skip_help?: string | null;
          skip_question?: string | null;
          version_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'quiz_version_areas_area_key_fkey';
            columns: ['area_key'];
            isOneToOne: false;
            referencedRelation: 'skill_areas';
            referencedColumns: ['key'];
          },
          {
            foreignKeyName: 'quiz_version_areas_version_id_fkey';
            columns: ['version_id'];
            isOneToOne: false;
            referencedRelation: 'quiz_versions';
            referencedColumns: ['id'];
          },
        ];
      };
      quiz_versions: {
        Row: {
          created_at: string;
          created_from: string | null;
          discarded_at: string | null;
          id: string;
          number: number;
          published_at: string | null;
          state: string;
          title: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          created_from?: string | null;
          discarded_at?: string | null;
          id: string;
          number: number;
          published_at?: string | null;
          state?: string;
          title: string;
        };
        Update: {
          created_at?: string;
          created_from?: string | null;
          discarded_at?: string | null;
          id?: string;
          number?: number;
          published_at?: string | null;
          state?: string;
          title?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'quiz_versions_created_from_fkey';
            columns: ['created_from'];
            isOneToOne: false;
            referencedRelation: 'quiz_versions';
            referencedColumns: ['id'];
          },
        ];
      };
      rate_limits: {
        Row: {
          expires_at: string;
          hits: number;
          key: string;
          minute_ends_at: string;
          minute_hits: number;
        };
        ComputedFields: never;
        Insert: {
          expires_at: string;
          hits: number;
          key: string;
          minute_ends_at?: string;
          minute_hits?: number;
        };
        Update: {
          expires_at?: string;
          hits?: number;
          key?: string;
          minute_ends_at?: string;
          minute_hits?: number;
        };
        Relationships: [];
      };
      recommendations: {
        Row: {
          area_key: string;
          attempt_id: string;
          chosen_by: string;
          position: number;
          priority: number;
          reason_question_key: string;
        };
        ComputedFields: never;
        Insert: {
          area_key: string;
          attempt_id: string;
          chosen_by?: string;
          position: number;
          priority: number;
          reason_question_key: string;
        };
        Update: {
          area_key?: string;
          attempt_id?: string;
          chosen_by?: string;
          position?: number;
          priority?: number;
          reason_question_key?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'recommendations_attempt_id_area_key_fkey';
            columns: ['attempt_id', 'area_key'];
            isOneToOne: true;
            referencedRelation: 'area_scores';
            referencedColumns: ['attempt_id', 'area_key'];
          },
        ];
      };
      refunds: {
        Row: {
          amount_minor: number;
          created_at: string;
          id: string;
          payment_ref: string;
          reason: string | null;
          recorded_by: string | null;
          ref: string;
          reported_at: string;
          state: string;
        };
        ComputedFields: never;
        Insert: {
          amount_minor: number;
          created_at?: string;
          id?: string;
          payment_ref: string;
          reason?: string | null;
          recorded_by?: string | null;
          ref: string;
          reported_at: string;
          state: string;
        };
        Update: {
          amount_minor?: number;
          created_at?: string;
          id?: string;
          payment_ref?: string;
          reason?: string | null;
          recorded_by?: string | null;
          ref?: string;
          reported_at?: string;
          state?: string;
        };
        Relationships: [];
      };
      saved_views: {
        Row: {
          created_at: string;
          id: string;
          list: string;
          name: string;
          query: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          id: string;
          list: string;
          name: string;
          query: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          list?: string;
          name?: string;
          query?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      seat_codes: {
        Row: {
          code: string;
          created_at: string;
          created_by: string | null;
          expires_at: string | null;
          id: string;
          most: number;
          program_id: string;
          revoked_at: string | null;
        };
        ComputedFields: never;
        Insert: {
          code: string;
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          id: string;
          most: number;
          program_id: string;
          revoked_at?: string | null;
        };
        Update: {
          code?: string;
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          id?: string;
          most?: number;
          program_id?: string;
          revoked_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'seat_codes_program_id_fkey';
            columns: ['program_id'];
            isOneToOne: false;
            referencedRelation: 'programs';
            referencedColumns: ['id'];
          },
        ];
      };
      seat_waits: {
        Row: {
          joined_at: string;
          offered_at: string | null;
          program_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          joined_at?: string;
          offered_at?: string | null;
          program_id: string;
          user_id: string;
        };
        Update: {
          joined_at?: string;
          offered_at?: string | null;
          program_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'seat_waits_program_id_fkey';
            columns: ['program_id'];
            isOneToOne: false;
            referencedRelation: 'programs';
            referencedColumns: ['id'];
          },
        ];
      };
      seats: {
        Row: {
          activated_at: string | null;
          address: string | null;
          business_id: string | null;
          code_id: string | null;
          consent_version: number | null;
          id: string;
          note: string | null;
          number: number;
          owner_id: string | null;
          program_id: string;
          reminded_at: string | null;
          reserved_until: string | null;
          shares_figures: boolean;
          state: string;
          state_since: string;
          withdrawn_at: string | null;
        };
        ComputedFields: never;
        Insert: {
          activated_at?: string | null;
          address?: string | null;
          business_id?: string | null;
          code_id?: string | null;
          consent_version?: number | null;
          id?: string;
          note?: string | null;
          number: number;
          owner_id?: string | null;
          program_id: string;
          reminded_at?: string | null;
          reserved_until?: string | null;
          shares_figures?: boolean;
          state?: string;
          state_since?: string;
          withdrawn_at?: string | null;
        };
        Update: {
          activated_at?: string | null;
          address?: string | null;
          business_id?: string | null;
          code_id?: string | null;
          consent_version?: number | null;
          id?: string;
          note?: string | null;
          number?: number;
          owner_id?: string | null;
          program_id?: string;
          reminded_at?: string | null;
          reserved_until?: string | null;
          shares_figures?: boolean;
          state?: string;
          state_since?: string;
          withdrawn_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'seats_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'seats_code_id_fkey';
            columns: ['code_id'];
            isOneToOne: false;
            referencedRelation: 'seat_codes';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'seats_program_id_consent_version_fkey';
            columns: ['program_id', 'consent_version'];
            isOneToOne: false;
            referencedRelation: 'program_consents';
            referencedColumns: ['program_id', 'version'];
          },
          {
            foreignKeyName: 'seats_program_id_fkey';
            columns: ['program_id'];
            isOneToOne: false;
            referencedRelation: 'programs';
            referencedColumns: ['id'];
          },
        ];
      };
      session_feedback: {
        Row: {
          comment: string | null;
          created_at: string;
          owner_id: string;
          rating: number;
          session_id: string;
        };
        ComputedFields: never;
        Insert: {
          comment?: string | null;
          created_at?: string;
          owner_id: string;
          rating: number;
          session_id: string;
        };
        Update: {
          comment?: string | null;
          created_at?: string;
          owner_id?: string;
          rating?: number;
          session_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'session_feedback_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: true;
            referencedRelation: 'coaching_sessions';
            referencedColumns: ['id'];
          },
        ];
      };
      session_grants: {
        Row: {
          bought: number;
          business_id: string;
          created_at: string;
          ends_at: string;
          given_by: string | null;
          id: string;
          kind: string;
          order_id: string | null;
          reason: string | null;
          sessions: number;
          source: string;
          starts_at: string;
        };
        ComputedFields: never;
        Insert: {
          bought: number;
          business_id: string;
          created_at?: string;
          ends_at: string;
          given_by?: string | null;
          id?: string;
          kind: string;
          order_id?: string | null;
          reason?: string | null;
          sessions: number;
          source: string;
          starts_at: string;
        };
        Update: {
          bought?: number;
          business_id?: string;
          created_at?: string;
          ends_at?: string;
          given_by?: string | null;
          id?: string;
          kind?: string;
          order_id?: string | null;
          reason?: string | null;
          sessions?: number;
          source?: string;
          starts_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'session_grants_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'session_grants_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      session_notes: {
        Row: {
          author_id: string;
          body: string;
          session_id: string;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          author_id: string;
          body: string;
          session_id: string;
          updated_at?: string;
        };
        Update: {
          author_id?: string;
          body?: string;
          session_id?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'session_notes_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: true;
            referencedRelation: 'coaching_sessions';
            referencedColumns: ['id'];
          },
        ];
      };
      session_offers: {
        Row: {
          coach_id: string | null;
          created_at: string;
          engagement_id: string;
          id: string;
          kind: string;
          minutes: number;
          note: string | null;
          place: string | null;
          session_id: string | null;
          state: string;
          time_zone: string;
          times: string[];
        };
        ComputedFields: never;
        Insert: {
          coach_id?: string | null;
          created_at?: string;
          engagement_id: string;
          id: string;
          kind: string;
          minutes: number;
          note?: string | null;
          place?: string | null;
          session_id?: string | null;
          state?: string;
          time_zone: string;
          times: string[];
        };
        Update: {
          coach_id?: string | null;
          created_at?: string;
          engagement_id?: string;
          id?: string;
          kind?: string;
          minutes?: number;
          note?: string | null;
          place?: string | null;
          session_id?: string | null;
          state?: string;
          time_zone?: string;
          times?: string[];
        };
        Relationships: [
          {
            foreignKeyName: 'session_offers_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'session_offers_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: false;
            referencedRelation: 'coaching_sessions';
            referencedColumns: ['id'];
          },
        ];
      };
      session_uses: {
        Row: {
          grant_id: string | null;
          session_id: string;
          used_at: string;
          waive_reason: string | null;
          waived_at: string | null;
          waived_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          grant_id?: string | null;
          session_id: string;
          used_at?: string;
          waive_reason?: string | null;
          waived_at?: string | null;
          waived_by?: string | null;
        };
        Update: {
          grant_id?: string | null;
          session_id?: string;
          used_at?: string;
          waive_reason?: string | null;
          waived_at?: string | null;
          waived_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'session_uses_grant_id_fkey';
            columns: ['grant_id'];
            isOneToOne: false;
            referencedRelation: 'session_grants';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'session_uses_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: true;
            referencedRelation: 'coaching_sessions';
            referencedColumns: ['id'];
          },
        ];
      };
      skill_areas: {
        Row: {
          key: string;
          name: string;
          position: number;
          short_name: string;
          summary: string;
        };
        ComputedFields: never;
        Insert: {
          key: string;
          name: string;
          position: number;
          short_name: string;
          summary: string;
        };
        Update: {
          key?: string;
          name?: string;
          position?: number;
          short_name?: string;
          summary?: string;
        };
        Relationships: [];
      };
      staff_roles: {
        Row: {
          granted_at: string;
          granted_by: string | null;
          role: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          granted_at?: string;
          granted_by?: string | null;
          role: string;
          user_id: string;
        };
        Update: {
          granted_at?: string;
          granted_by?: string | null;
          role?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      survey_invitations: {
        Row: {
          answered: boolean;
          engagement_id: string;
          expires_at: string;
          id: string;
          reminded: boolean;
          reminder_hash: string | null;
          sent_at: string;
          survey_id: string;
          token_hash: string;
        };
        ComputedFields: never;
        Insert: {
          answered?: boolean;
          engagement_id: string;
          expires_at?: string;
          id?: string;
          reminded?: boolean;
          reminder_hash?: string | null;
          sent_at?: string;
          survey_id: string;
          token_hash: string;
        };
        Update: {
          answered?: boolean;
          engagement_id?: string;
          expires_at?: string;
          id?: string;
          reminded?: boolean;
          reminder_hash?: string | null;
          sent_at?: string;
          survey_id?: string;
          token_hash?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'survey_invitations_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'survey_invitations_survey_id_fkey';
            columns: ['survey_id'];
            isOneToOne: false;
            referencedRelation: 'surveys';
            referencedColumns: ['id'];
          },
        ];
      };
      survey_responses: {
        Row: {
          agreement: number[];
          comments: string[];
          engagement_id: string | null;
          id: string;
          invited: boolean;
          privacy: string;
          recommend: number | null;
          responded_on: string;
          survey_id: string;
        };
        ComputedFields: never;
        Insert: {
          agreement: number[];
          comments: string[];
          engagement_id?: string | null;
          id: string;
          invited: boolean;
          privacy: string;
          recommend?: number | null;
          responded_on?: string;
          survey_id: string;
        };
        Update: {
          agreement?: number[];
          comments?: string[];
          engagement_id?: string | null;
          id?: string;
          invited?: boolean;
          privacy?: string;
          recommend?: number | null;
          responded_on?: string;
          survey_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'survey_responses_engagement_id_fkey';
            columns: ['engagement_id'];
            isOneToOne: false;
            referencedRelation: 'engagements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'survey_responses_survey_id_privacy_fkey';
            columns: ['survey_id', 'privacy'];
            isOneToOne: false;
            referencedRelation: 'surveys';
            referencedColumns: ['id', 'privacy'];
          },
        ];
      };
      surveys: {
        Row: {
          closed_at: string | null;
          comments: string[];
          grouped_by: string | null;
          id: string;
          opened_at: string;
          privacy: string;
          public_link: boolean;
          recommend: string;
          state: string;
          statements: string[];
          title: string;
        };
        ComputedFields: never;
        Insert: {
          closed_at?: string | null;
          comments: string[];
          grouped_by?: string | null;
          id: string;
          opened_at?: string;
          privacy: string;
          public_link: boolean;
          recommend: string;
          state?: string;
          statements: string[];
          title: string;
        };
        Update: {
          closed_at?: string | null;
          comments?: string[];
          grouped_by?: string | null;
          id?: string;
          opened_at?: string;
          privacy?: string;
          public_link?: boolean;
          recommend?: string;
          state?: string;
          statements?: string[];
          title?: string;
        };
        Relationships: [];
      };
      tax_rates: {
        Row: {
          name: string;
          rate: number;
          region: string;
        };
        ComputedFields: never;
        Insert: {
          name: string;
          rate: number;
          region: string;
        };
        Update: {
          name?: string;
          rate?: number;
          region?: string;
        };
        Relationships: [];
      };
      tool_copies: {
        Row: {
          body_markdown: string;
          business_id: string;
          created_at: string;
          created_by: string | null;
          id: string;
          item_id: string | null;
          item_version: number;
          removed_at: string | null;
          revision: number;
          title: string;
          updated_at: string;
          updated_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          body_markdown: string;
          business_id: string;
          created_at?: string;
          created_by?: string | null;
          id: string;
          item_id?: string | null;
          item_version: number;
          removed_at?: string | null;
          revision?: number;
          title: string;
          updated_at?: string;
          updated_by?: string | null;
        };
        Update: {
          body_markdown?: string;
          business_id?: string;
          created_at?: string;
          created_by?: string | null;
          id?: string;
          item_id?: string | null;
          item_version?: number;
          removed_at?: string | null;
          revision?: number;
          title?: string;
          updated_at?: string;
          updated_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'tool_copies_business_id_fkey';
            columns: ['business_id'];
            isOneToOne: false;
            referencedRelation: 'businesses';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'tool_copies_item_id_fkey';
            columns: ['item_id'];
            isOneToOne: false;
            referencedRelation: 'toolbox_items';
            referencedColumns: ['id'];
          },
        ];
      };
      tool_files: {
        Row: {
          bucket: string;
          created_at: string;
          id: string;
          item_id: string;
          name: string;
          path: string;
          seconds: number | null;
          size: number;
          state: string;
          type: string;
          unnamed_at: string | null;
          uploaded_by: string | null;
        };
        ComputedFields: never;
        Insert: {
          bucket: string;
          created_at?: string;
          id: string;
          item_id: string;
          name: string;
          path?: never;
          seconds?: number | null;
          size: number;
          state?: string;
          type: string;
          unnamed_at?: string | null;
          uploaded_by?: string | null;
        };
        Update: {
          bucket?: string;
          created_at?: string;
          id?: string;
          item_id?: string;
          name?: string;
          path?: never;
          seconds?: number | null;
          size?: number;
          state?: string;
          type?: string;
          unnamed_at?: string | null;
          uploaded_by?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'tool_files_item_id_fkey';
            columns: ['item_id'];
            isOneToOne: false;
            referencedRelation: 'toolbox_items';
            referencedColumns: ['id'];
          },
        ];
      };
      toolbox_items: {
        Row: {
          archived_at: string | null;
          archived_reason: string | null;
          area_key: string;
          body_markdown: string;
          built_reviewed_on: string | null;
          built_version: number | null;
          calculator: string | null;
          captions: string;
          files: NonNullable<Json>;
          format: string;
          id: string;
          is_as_built: boolean;
          levels: string[];
          minutes: number;
          practice: string | null;
          review_due_on: string;
          review_months: number;
          reviewed_on: string;
          slug: string;
          state: string;
          summary: string;
          title: string;
          type: string;
          updated_at: string;
          version: number;
          video: Json | null;
          words: unknown;
        };
        ComputedFields: never;
        Insert: {
          archived_at?: string | null;
          archived_reason?: string | null;
          area_key: string;
          body_markdown?: string;
          built_reviewed_on?: string | null;
          built_version?: number | null;
          calculator?: string | null;
          captions?: string;
          files?: NonNullable<Json>;
          format: string;
          id: string;
          is_as_built?: never;
          levels: string[];
          minutes: number;
          practice?: string | null;
          review_due_on?: never;
          review_months?: number;
          reviewed_on: string;
          slug: string;
          state?: string;
          summary: string;
          title: string;
          type: string;
          updated_at?: string;
          version?: number;
          video?: Json | null;
          words?: never;
        };
        Update: {
          archived_at?: string | null;
          archived_reason?: string | null;
          area_key?: string;
          body_markdown?: string;
          built_reviewed_on?: string | null;
          built_version?: number | null;
          calculator?: string | null;
          captions?: string;
          files?: NonNullable<Json>;
          format?: string;
          id?: string;
          is_as_built?: never;
          levels?: string[];
          minutes?: number;
          practice?: string | null;
          review_due_on?: never;
          review_months?: number;
          reviewed_on?: string;
          slug?: string;
          state?: string;
          summary?: string;
          title?: string;
          type?: string;
          updated_at?: string;
          version?: number;
          video?: Json | null;
          words?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'toolbox_items_area_key_fkey';
            columns: ['area_key'];
            isOneToOne: false;
            referencedRelation: 'skill_areas';
            referencedColumns: ['key'];
          },
        ];
      };
      toolbox_marks: {
        Row: {
          done_at: string | null;
          item_id: string;
          saved_at: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          done_at?: string | null;
          item_id: string;
          saved_at?: string | null;
          user_id: string;
        };
        Update: {
          done_at?: string | null;
          item_id?: string;
          saved_at?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'toolbox_marks_item_id_fkey';
            columns: ['item_id'];
            isOneToOne: false;
            referencedRelation: 'toolbox_items';
            referencedColumns: ['id'];
          },
        ];
      };
      toolbox_versions: {
        Row: {
          area_key: string;
          based_on: number | null;
          body_markdown: string;
          calculator: string | null;
          captions: string;
          change: string | null;
          created_at: string;
          created_by: string | null;
          file_ids: string[];
          files: NonNullable<Json>;
          format: string;
          from_content: boolean;
          id: string;
          item_id: string;
          levels: string[];
          minutes: number | null;
          practice: string | null;
          published_at: string | null;
          published_by: string | null;
          revision: number;
          slug: string;
          summary: string;
          title: string;
          type: string;
          updated_at: string;
          updated_by: string | null;
          version: number | null;
          video: Json | null;
        };
        ComputedFields: never;
        Insert: {
          area_key: string;
          based_on?: number | null;
          body_markdown?: string;
          calculator?: string | null;
          captions?: string;
          change?: string | null;
          created_at?: string;
          created_by?: string | null;
          file_ids?: never;
          files?: NonNullable<Json>;
          format?: string;
          from_content?: boolean;
          id?: string;
          item_id: string;
          levels: string[];
          minutes?: number | null;
          practice?: string | null;
          published_at?: string | null;
          published_by?: string | null;
          revision?: number;
          slug?: string;
          summary?: string;
          title?: string;
          type: string;
          updated_at?: string;
          updated_by?: string | null;
          version?: number | null;
          video?: Json | null;
        };
        Update: {
          area_key?: string;
          based_on?: number | null;
          body_markdown?: string;
          calculator?: string | null;
          captions?: string;
          change?: string | null;
          created_at?: string;
          created_by?: string | null;
          file_ids?: never;
          files?: NonNullable<Json>;
          format?: string;
          from_content?: boolean;
          id?: string;
          item_id?: string;
          levels?: string[];
          minutes?: number | null;
          practice?: string | null;
          published_at?: string | null;
          published_by?: string | null;
          revision?: number;
          slug?: string;
          summary?: string;
          title?: string;
          type?: string;
          updated_at?: string;
          updated_by?: string | null;
          version?: number | null;
          video?: Json | null;
        };
        Relationships: [
          {
            foreignKeyName: 'toolbox_versions_area_key_fkey';
            columns: ['area_key'];
            isOneToOne: false;
            referencedRelation: 'skill_areas';
            referencedColumns: ['key'];
          },
          {
            foreignKeyName: 'toolbox_versions_item_id_fkey';
            columns: ['item_id'];
            isOneToOne: false;
            referencedRelation: 'toolbox_items';
            referencedColumns: ['id'];
          },
        ];
      };
    };
    Views: {
      [_ in never]: never;
    };
    Functions: {
      accept_client: { Args: { p_engagement_id: string | null }; Returns: Json };
      accept_invitation: { Args: { p_token: string | null }; Returns: Json };
      accept_my_invitation: { Args: { p_id: string | null }; Returns: Json };
      add_coaching_action: {
        Args: {
          p_area_key?: string | null;
          p_body: string | null;
          p_doer: string | null;
          p_due_on: string | null;
          p_engagement_id: string | null;
          p_focus_area_id?: string | null;
          p_id: string | null;
          p_tool_slug?: string | null;
        };
        Returns: Json;
      };
      add_focus_action: {
        Args: {
          p_body: string | null;
          p_due_on: string | null;
          p_focus_area_id: string | null;
          p_id: string | null;
          p_question_key?: string | null;
          p_remind?: boolean | null;
        };
        Returns: Json;
      };
      add_project_task: {
        Args: {
          p_due_on?: string | null;
          p_id: string | null;
          p_project_id: string | null;
          p_title: string | null;
        };
        Returns: Json;
      };
      add_project_update: {
        Args: { p_body: string | null; p_id: string | null; p_project_id: string | null };
        Returns: Json;
      };
      add_quiz_question: {
        Args: {
          p_area_key: string | null;
          p_key?: string | null;
          p_practice?: string | null;
          p_version_id: string | null;
        };
        Returns: Json;
      };
      add_snapshot: {
        Args: {
          p_business_id: string | null;
          p_currency?: string | null;
          p_full_time?: number | null;
          p_id: string | null;
          p_part_time?: number | null;
          p_profit_minor?: number | null;
          p_revenue_minor?: number | null;
          p_taken_on: string | null;
        };
        Returns: Json;
      };
      add_time_off: {
        Args: {
          p_ends_on: string | null;
          p_id: string | null;
          p_note?: string | null;
          p_starts_on: string | null;
        };
        Returns: Json;
      };
      admin_attempts: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_audit: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_business: { Args: { p_id: string | null }; Returns: Json };
      admin_businesses: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_coaching_board: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_contact: { Args: { p_id: string | null }; Returns: Json };
      admin_contact_merge: {
        Args: { p_drop: string | null; p_keep: string | null };
        Returns: Json;
      };
      admin_contacts: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_engagement: { Args: { p_id: string | null }; Returns: Json };
      admin_engagements: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_event: { Args: { p_id: string | null }; Returns: Json };
      admin_event_signups: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_events: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_get_order: { Args: { p_id: string | null }; Returns: Json };
      admin_get_program: { Args: { p_id: string | null }; Returns: Json };
      admin_hubspot: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_hubspot_records: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_jobs: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_merge_preview: {
        Args: { p_from: string | null; p_into: string | null };
        Returns: Json;
      };
      admin_message_reports: {
        Args: {
          p_before?: string | null;
          p_before_id?: string | null;
          p_limit?: number | null;
          p_state?: string | null;
        };
        Returns: Json;
      };
      admin_newsletter_issue: { Args: { p_id: string | null }; Returns: Json };
      admin_newsletter_issues: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_newsletter_refusals: { Args: { p_id: string | null }; Returns: Json };
      admin_orders: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_overview: { Args: { p_days?: number | null; p_route?: string | null }; Returns: Json };
      admin_people: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_person: { Args: { p_id: string | null }; Returns: Json };
      admin_prices: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_programs: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_projects: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_quiz_statistics: { Args: { p_id: string | null }; Returns: Json };
      admin_quiz_version: { Args: { p_id: string | null }; Returns: Json };
      admin_quiz_versions: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_read_session_note: {
        Args: { p_reason: string | null; p_session_id: string | null };
        Returns: Json;
      };
      admin_refund_basis: { Args: { p_order_id: string | null }; Returns: Json };
      admin_seats: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_survey_results: { Args: { p_filter?: Json | null }; Returns: Json };
      admin_toggles: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_tool: { Args: { p_id: string | null }; Returns: Json };
      admin_tool_version: {
        Args: { p_id: string | null; p_version: number | null };
        Returns: Json;
      };
      admin_tools: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_wrike: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_wrike_folders: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      admin_wrike_mirrors: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      adopt_answers: {
        Args: {
          p_answers: Json | null;
          p_business_id: string | null;
          p_confidences?: Json | null;
          p_id: string | null;
          p_kind: string | null;
          p_version_id: string | null;
        };
        Returns: Json;
      };
      answer_contact_message: {
        Args: { p_answer: string | null; p_id: string | null };
        Returns: Json;
      };
      archive_business: { Args: { p_business_id: string | null }; Returns: Json };
      archive_businesses: {
        Args: { p_ids: string[] | null; p_reason: string | null };
        Returns: Json;
      };
      archive_tool: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      ask_for_other_coach: {
        Args: { p_engagement_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      assign_coach: {
        Args: {
          p_coach_id: string | null;
          p_engagement_id: string | null;
          p_handover?: string | null;
          p_message?: string | null;
          p_reason: string | null;
        };
        Returns: Json;
      };
      begin_message_file: {
        Args: {
          p_conversation_id: string | null;
          p_height?: number | null;
          p_id: string | null;
          p_name: string | null;
          p_size: number | null;
          p_type: string | null;
          p_width?: number | null;
        };
        Returns: Json;
      };
      begin_order_file: {
        Args: {
          p_id: string | null;
          p_name: string | null;
          p_order_id: string | null;
          p_size: number | null;
          p_type: string | null;
        };
        Returns: Json;
      };
      begin_project_file: {
        Args: {
          p_id: string | null;
          p_name: string | null;
          p_project_id: string | null;
          p_size: number | null;
          p_type: string | null;
        };
        Returns: Json;
      };
      begin_tool_file: {
        Args: {
          p_id: string | null;
          p_item_id: string | null;
          p_name: string | null;
          p_seconds?: number | null;
          p_size: number | null;
          p_type: string | null;
        };
        Returns: Json;
      };
      cancel_event: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      cancel_event_place: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      cancel_order: { Args: { p_id: string | null }; Returns: Json };
      cancel_session: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      change_focus_action: {
        Args: {
          p_body: string | null;
          p_due_on: string | null;
          p_id: string | null;
          p_remind?: boolean | null;
        };
        Returns: Json;
      };
      change_summary: {
        Args: { p_session_id: string | null; p_summary: string | null };
        Returns: Json;
      };
      change_wrike_mirror: { Args: { p_id: string | null; p_step: string | null }; Returns: Json };
      choose_coach: {
        Args: { p_coach_id: string | null; p_engagement_id: string | null };
        Returns: Json;
      };
      choose_focus_area: {
        Args: {
          p_action_id: string | null;
          p_area_key: string | null;
          p_attempt_id: string | null;
          p_body: string | null;
          p_due_on: string | null;
          p_id: string | null;
          p_question_key?: string | null;
          p_remind?: boolean | null;
        };
        Returns: Json;
      };
      client_counts: { Args: Record<PropertyKey, never>; Returns: Json };
      close_engagement: {
        Args: {
          p_engagement_id: string | null;
          p_reason: string | null;
          p_summary?: string | null;
        };
        Returns: Json;
      };
      close_session: {
        Args: { p_engagement_id: string | null; p_id: string | null; p_session: Json | null };
        Returns: Json;
      };
      close_survey: {
        Args: { p_reason: string | null; p_survey_id: string | null };
        Returns: Json;
      };
      coach_today: { Args: Record<PropertyKey, never>; Returns: Json };
      compare_attempts: {
        Args: { p_earlier?: string | null; p_later: string | null };
        Returns: Json;
      };
      complete_coaching: {
        Args: { p_engagement_id: string | null; p_summary: string | null };
        Returns: Json;
      };
      copy_tool: {
        Args: { p_business_id: string | null; p_id: string | null; p_slug: string | null };
        Returns: undefined;
      };
      create_business: {
        Args: {
          p_help_wanted?: string | null;
          p_id: string | null;
          p_industry?: string | null;
          p_name: string | null;
          p_postal_code?: string | null;
          p_stage?: string | null;
          p_trading?: string | null;
        };
        Returns: Json;
      };
      create_newsletter_issue: { Args: { p_id: string | null }; Returns: Json };
      create_order: { Args: { p_id: string | null; p_order: Json | null }; Returns: Json };
      create_project: {
        Args: {
          p_area_key?: string | null;
          p_baseline?: string | null;
          p_business_id: string | null;
          p_due_on?: string | null;
          p_engagement_id?: string | null;
          p_id: string | null;
          p_outcome?: string | null;
          p_start_on?: string | null;
          p_title: string | null;
        };
        Returns: Json;
      };
      create_quiz_draft: { Args: { p_from: string | null; p_id: string | null }; Returns: Json };
      create_seat_code: {
        Args: {
          p_expires_on?: string | null;
          p_id: string | null;
          p_most: number | null;
          p_program_id: string | null;
        };
        Returns: Json;
      };
      create_tool: { Args: { p_id: string | null; p_practice?: string | null }; Returns: Json };
      decline_client: {
        Args: { p_engagement_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      decline_invitation: { Args: { p_token: string | null }; Returns: Json };
      decline_my_invitation: { Args: { p_id: string | null }; Returns: Json };
      decline_times: { Args: { p_note: string | null; p_offer_id: string | null }; Returns: Json };
      demographics_summary: { Args: Record<PropertyKey, never>; Returns: Json };
      discard_quiz_draft: {
        Args: { p_discarded?: boolean | null; p_id: string | null };
        Returns: Json;
      };
      edit_message: { Args: { p_body: string | null; p_id: string | null }; Returns: Json };
      edit_tool: { Args: { p_id: string | null; p_version?: number | null }; Returns: Json };
      end_focus_area: { Args: { p_id: string | null }; Returns: Json };
      end_membership: {
        Args: { p_order_id: string | null; p_reason: string | null; p_when: string | null };
        Returns: Json;
      };
      end_session: { Args: { p_id: string | null }; Returns: Json };
      end_sessions: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      export_account: { Args: Record<PropertyKey, never>; Returns: Json };
      finish_attempt: { Args: { p_attempt_id: string | null }; Returns: Json };
      finish_message_file: { Args: { p_id: string | null }; Returns: Json };
      finish_project_file: { Args: { p_id: string | null }; Returns: Json };
      finish_tool_file: { Args: { p_id: string | null }; Returns: Json };
      get_account: { Args: Record<PropertyKey, never>; Returns: Json };
      get_attempt: { Args: { p_attempt_id: string | null }; Returns: Json };
      get_billing_customer: { Args: { p_order_id: string | null }; Returns: string };
      get_business: { Args: { p_id: string | null }; Returns: Json };
      get_checkout: { Args: { p_id: string | null }; Returns: Json };
      get_claim: { Args: { p_claim: string | null }; Returns: Json };
      get_client: { Args: { p_engagement_id: string | null }; Returns: Json };
      get_coaching: { Args: Record<PropertyKey, never>; Returns: Json };
      get_conversation: {
        Args: { p_around?: number | null; p_id: string | null; p_limit?: number | null };
        Returns: Json;
      };
      get_event_place: { Args: { p_secret: string | null }; Returns: Json };
      get_home: { Args: { p_business_id: string | null }; Returns: Json };
      get_invitation: { Args: { p_token: string | null }; Returns: Json };
      get_my_coaching: { Args: Record<PropertyKey, never>; Returns: Json };
      get_order: { Args: { p_id: string | null }; Returns: Json };
      get_plan: { Args: { p_business_id: string | null }; Returns: Json };
      get_profile: { Args: Record<PropertyKey, never>; Returns: Json };
      get_program: { Args: { p_id: string | null }; Returns: Json };
      get_project: { Args: { p_id: string | null }; Returns: Json };
      get_public_tool: { Args: { p_slug: string | null }; Returns: Json };
      get_quiz: { Args: Record<PropertyKey, never>; Returns: Json };
      get_reported_conversation: {
        Args: { p_before?: number | null; p_report_id: string | null };
        Returns: Json;
      };
      get_result: { Args: { p_attempt_id: string | null }; Returns: Json };
      get_seat_offer: {
        Args: { p_code?: string | null; p_seat_id?: string | null };
        Returns: Json;
      };
      get_session: { Args: { p_id: string | null }; Returns: Json };
      get_skills: {
        Args: {
          p_business_id: string | null;
          p_earlier?: string | null;
          p_later?: string | null;
          p_parts?: string[] | null;
        };
        Returns: Json;
      };
      get_survey: { Args: { p_invitation?: string | null }; Returns: Json };
      get_tool: { Args: { p_business_id?: string | null; p_slug: string | null }; Returns: Json };
      get_tool_captions: { Args: { p_id: string | null }; Returns: string };
      get_tool_copy: { Args: { p_id: string | null }; Returns: Json };
      get_tool_file: { Args: { p_id: string | null }; Returns: Json };
      get_worksheet: {
        Args: { p_business_id: string | null; p_kind: string | null };
        Returns: Json;
      };
      give_event_place: { Args: { p_id: string | null }; Returns: Json };
      give_program: {
        Args: {
          p_ends_on: string | null;
          p_id: string | null;
          p_name: string | null;
          p_reason: string | null;
          p_seats: number | null;
          p_sessions: number | null;
          p_sponsor: string | null;
          p_starts_on: string | null;
        };
        Returns: Json;
      };
      give_sessions: {
        Args: {
          p_business_id: string | null;
          p_id: string | null;
          p_months: number | null;
          p_reason: string | null;
          p_sessions: number | null;
        };
        Returns: Json;
      };
      hand_over_business: {
        Args: { p_business_id: string | null; p_user_id: string | null };
        Returns: Json;
      };
      import_contacts: {
        Args: {
          p_dry: boolean | null;
          p_file: string | null;
          p_invite?: boolean | null;
          p_rows: Json | null;
        };
        Returns: Json;
      };
      invite_member: {
        Args: { p_address: string | null; p_business_id: string | null; p_id: string | null };
        Returns: Json;
      };
      invite_to_program: {
        Args: { p_addresses: string[] | null; p_program_id: string | null; p_words: string | null };
        Returns: Json;
      };
      invite_to_survey: { Args: { p_engagement_id: string | null }; Returns: Json };
      invoice_order: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      is_tool_as_built: { Args: { p_slug?: string | null }; Returns: boolean };
      keep_account: { Args: Record<PropertyKey, never>; Returns: Json };
      keep_coach: { Args: { p_engagement_id: string | null }; Returns: Json };
      leave_business: { Args: { p_business_id: string | null }; Returns: Json };
      leave_clients: { Args: { p_handovers: Json | null }; Returns: Json };
      leave_program: { Args: { p_seat_id: string | null }; Returns: Json };
      list_attempts: {
        Args: { p_before?: string | null; p_business_id: string | null };
        Returns: Json;
      };
      list_blocked: { Args: Record<PropertyKey, never>; Returns: Json };
      list_businesses: {
        Args: { p_archived?: boolean | null; p_page?: number | null; p_page_size?: number | null };
        Returns: Json;
      };
      list_clients: {
        Args: { p_filter?: Json | null; p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      list_coaches: {
        Args: {
          p_areas?: string[] | null;
          p_business_id?: string | null;
          p_engagement_id?: string | null;
        };
        Returns: Json;
      };
      list_conversations: {
        Args: {
          p_before?: string | null;
          p_before_id?: string | null;
          p_limit?: number | null;
          p_search?: string | null;
          p_unread_support?: boolean | null;
        };
        Returns: Json;
      };
      list_correspondents: {
        Args: { p_limit?: number | null; p_search?: string | null };
        Returns: Json;
      };
      list_event_places: { Args: { p_slug: string | null }; Returns: Json };
      list_memberships: { Args: Record<PropertyKey, never>; Returns: Json };
      list_message_changes: {
        Args: {
          p_after_revision: number | null;
          p_conversation_id: string | null;
          p_limit?: number | null;
        };
        Returns: Json;
      };
      list_messages: {
        Args: {
          p_after?: number | null;
          p_before?: number | null;
          p_conversation_id: string | null;
          p_limit?: number | null;
        };
        Returns: Json;
      };
      list_newsletter_issues: { Args: Record<PropertyKey, never>; Returns: Json };
      list_notifications: {
        Args: { p_limit?: number | null; p_place?: Json | null };
        Returns: Json;
      };
      list_orders: { Args: { p_limit?: number | null; p_place?: Json | null }; Returns: Json };
      list_own_programs: { Args: Record<PropertyKey, never>; Returns: Json };
      list_own_seats: { Args: Record<PropertyKey, never>; Returns: Json };
      list_plan_versions: {
        Args: {
          p_before?: number | null;
          p_business_id: string | null;
          p_field: string | null;
          p_limit?: number | null;
        };
        Returns: Json;
      };
      list_practice_tools: { Args: Record<PropertyKey, never>; Returns: Json };
      list_prices: { Args: Record<PropertyKey, never>; Returns: Json };
      list_project_history: {
        Args: { p_before: string | null; p_before_id: string | null; p_id: string | null };
        Returns: Json;
      };
      list_project_tasks: {
        Args: { p_after: string | null; p_project_id: string | null };
        Returns: Json;
      };
      list_projects: {
        Args: {
          p_area_key?: string | null;
          p_business_id?: string | null;
          p_limit?: number | null;
          p_place?: Json | null;
          p_query?: string | null;
          p_sort?: string | null;
          p_statuses?: string[] | null;
          p_view?: string | null;
        };
        Returns: Json;
      };
      list_public_tools: { Args: Record<PropertyKey, never>; Returns: Json };
      list_sessions: { Args: Record<PropertyKey, never>; Returns: Json };
      list_snapshots: {
        Args: { p_before?: string | null; p_business_id: string | null; p_limit?: number | null };
        Returns: Json;
      };
      list_toolbox: {
        Args: {
          p_area?: string | null;
          p_business_id?: string | null;
          p_level?: string | null;
          p_mark?: string | null;
          p_page?: number | null;
          p_query?: string | null;
          p_type?: string | null;
        };
        Returns: Json;
      };
      list_worksheet_versions: {
        Args: {
          p_before?: number | null;
          p_business_id: string | null;
          p_kind: string | null;
          p_limit?: number | null;
        };
        Returns: Json;
      };
      log_contact: {
        Args: {
          p_at?: string | null;
          p_channel: string | null;
          p_engagement_id: string | null;
          p_id: string | null;
          p_note?: string | null;
          p_reached: boolean | null;
        };
        Returns: Json;
      };
      make_calendar_feed: { Args: Record<PropertyKey, never>; Returns: Json };
      make_recovery_codes: { Args: Record<PropertyKey, never>; Returns: Json };
      map_hubspot: { Args: { p_mapping: Json | null }; Returns: Json };
      mark_event_attendance: {
        Args: { p_came: boolean | null; p_id: string | null };
        Returns: Json;
      };
      mark_notifications_read: { Args: { p_ids?: string[] | null }; Returns: Json };
      mark_tool: {
        Args: { p_mark: string | null; p_on: boolean | null; p_slug: string | null };
        Returns: undefined;
      };
      mark_unreachable: { Args: { p_engagement_id: string | null }; Returns: Json };
      merge_businesses: {
        Args: { p_from: string | null; p_into: string | null; p_reason: string | null };
        Returns: Json;
      };
      merge_contacts: {
        Args: { p_drop: string | null; p_keep: string | null; p_reason: string | null };
        Returns: Json;
      };
      mirror_in_wrike: {
        Args: { p_folder_id: string | null; p_id: string | null; p_project_id?: string | null };
        Returns: Json;
      };
      move_project: {
        Args: { p_id: string | null; p_note?: string | null; p_status: string | null };
        Returns: Json;
      };
      move_project_task: { Args: { p_after?: string | null; p_id: string | null }; Returns: Json };
      move_session: {
        Args: {
          p_id: string | null;
          p_kind: string | null;
          p_minutes: number | null;
          p_place: string | null;
          p_starts_at: string | null;
        };
        Returns: Json;
      };
      newsletter_issue: { Args: { p_slug: string | null }; Returns: Json };
      offer_times: {
        Args: {
          p_engagement_id: string | null;
          p_id: string | null;
          p_kind: string | null;
          p_minutes: number | null;
          p_place: string | null;
          p_time_zone: string | null;
          p_times: string[] | null;
        };
        Returns: Json;
      };
      open_conversation: {
        Args: { p_id: string | null; p_kind: string | null; p_subject?: string | null };
        Returns: Json;
      };
      open_event_place: { Args: { p_id: string | null }; Returns: Json };
      open_notification: { Args: { p_id: string | null }; Returns: Json };
      open_order_file: { Args: { p_id: string | null }; Returns: Json };
      open_page: { Args: { p_business_id?: string | null; p_calls: Json | null }; Returns: Json };
      open_survey: {
        Args: {
          p_grouped_by: string | null;
          p_id: string | null;
          p_privacy: string | null;
          p_public_link: boolean | null;
          p_reason: string | null;
        };
        Returns: Json;
      };
      order_quiz_questions: {
        Args: { p_area_key: string | null; p_keys: string[] | null; p_version_id: string | null };
        Returns: Json;
      };
      pass_on_seat: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      pause_coaching: {
        Args: {
          p_engagement_id: string | null;
          p_reason?: string | null;
          p_resume_on: string | null;
        };
        Returns: Json;
      };
      pick_time: {
        Args: { p_offer_id: string | null; p_session_id: string | null; p_time: string | null };
        Returns: Json;
      };
      project_start: {
        Args: {
          p_area_key?: string | null;
          p_business_id: string | null;
          p_question_key?: string | null;
        };
        Returns: Json;
      };
      publish_quiz_draft: {
        Args: { p_fingerprint: string | null; p_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      publish_tool: {
        Args: { p_change?: string | null; p_id: string | null; p_revision: number | null };
        Returns: Json;
      };
      quote_order_lines: {
        Args: {
          p_id: string | null;
          p_quantity: number | null;
          p_reason: string | null;
          p_setup_minor: number | null;
          p_tax_exempt: boolean | null;
          p_unit_minor: number | null;
        };
        Returns: Json;
      };
      rate_session: {
        Args: { p_comment: string | null; p_rating: number | null; p_session_id: string | null };
        Returns: Json;
      };
      read_messages: {
        Args: { p_conversation_id: string | null; p_seq: number | null };
        Returns: Json;
      };
      recommend: {
        Args: {
          p_area_key: string | null;
          p_engagement_id: string | null;
          p_id: string | null;
          p_kind: string | null;
          p_note: string | null;
          p_title: string | null;
          p_tool_slug: string | null;
        };
        Returns: Json;
      };
      record_payment: {
        Args: {
          p_amount_minor: number | null;
          p_id: string | null;
          p_method: string | null;
          p_open_minor?: number | null;
          p_order_id: string | null;
          p_reason: string | null;
          p_received_on: string | null;
        };
        Returns: Json;
      };
      record_purchase_order: {
        Args: { p_id: string | null; p_po_number: string | null; p_reason: string | null };
        Returns: Json;
      };
      refer_elsewhere: {
        Args: {
          p_engagement_id: string | null;
          p_reason: string | null;
          p_referral: string | null;
        };
        Returns: Json;
      };
      refund_payment: {
        Args: {
          p_amount_minor: number | null;
          p_id: string | null;
          p_order_id: string | null;
          p_payment_id: string | null;
          p_reason: string | null;
        };
        Returns: Json;
      };
      remove_calendar_feed: { Args: Record<PropertyKey, never>; Returns: Json };
      remove_claim: { Args: { p_claim: string | null }; Returns: undefined };
      remove_member: {
        Args: { p_business_id: string | null; p_user_id: string | null };
        Returns: Json;
      };
      remove_message: { Args: { p_id: string | null }; Returns: Json };
      remove_message_file: { Args: { p_id: string | null }; Returns: undefined };
      remove_newsletter_issue: { Args: { p_id: string | null }; Returns: Json };
      remove_project_file: { Args: { p_id: string | null }; Returns: undefined };
      remove_project_task: {
        Args: { p_id: string | null; p_removed?: boolean | null };
        Returns: Json;
      };
      remove_quiz_question: {
        Args: { p_key: string | null; p_version_id: string | null };
        Returns: Json;
      };
      remove_time_off: { Args: { p_id: string | null }; Returns: Json };
      remove_tool_copy: {
        Args: { p_id: string | null; p_removed?: boolean | null };
        Returns: undefined;
      };
      remove_tool_draft: { Args: { p_id: string | null }; Returns: Json };
      remove_view: { Args: { p_id: string | null }; Returns: undefined };
      reopen_coaching: { Args: { p_engagement_id: string | null }; Returns: Json };
      replay_hubspot: { Args: { p_id?: string | null }; Returns: Json };
      replay_jobs: { Args: { p_id?: string | null }; Returns: Json };
      report_message: {
        Args: {
          p_id: string | null;
          p_message_id: string | null;
          p_note?: string | null;
          p_reason: string | null;
        };
        Returns: Json;
      };
      request_account_deletion: { Args: Record<PropertyKey, never>; Returns: Json };
      request_coaching: {
        Args: {
          p_areas?: string[] | null;
          p_business_id: string | null;
          p_coach_id?: string | null;
          p_id: string | null;
          p_note?: string | null;
          p_share_results?: boolean | null;
        };
        Returns: Json;
      };
      request_quote: { Args: { p_id: string | null }; Returns: Json };
      resend_confirmation: {
        Args: { p_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      resend_invitation: { Args: { p_id: string | null }; Returns: Json };
      reset_second_factor: {
        Args: { p_check: string | null; p_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      restore_businesses: {
        Args: { p_ids: string[] | null; p_reason: string | null };
        Returns: Json;
      };
      restore_plan_version: {
        Args: {
          p_business_id: string | null;
          p_editor: string | null;
          p_field: string | null;
          p_revision: number | null;
        };
        Returns: Json;
      };
      restore_tool: { Args: { p_id: string | null }; Returns: Json };
      restore_worksheet_version: {
        Args: { p_business_id: string | null; p_kind: string | null; p_revision: number | null };
        Returns: Json;
      };
      resume_coaching: { Args: { p_engagement_id: string | null }; Returns: Json };
      resume_contact: { Args: { p_engagement_id: string | null }; Returns: Json };
      review_tool: { Args: { p_id: string | null; p_note?: string | null }; Returns: Json };
      revoke_invitation: { Args: { p_id: string | null }; Returns: Json };
      revoke_seat_code: { Args: { p_id: string | null }; Returns: Json };
      run_hubspot: { Args: { p_step: string | null }; Returns: Json };
      run_wrike: { Args: { p_step: string | null }; Returns: Json };
      save_business_fact: {
        Args: {
          p_business_id: string | null;
          p_field: string | null;
          p_known: string[] | null;
          p_value: string | null;
        };
        Returns: Json;
      };
      save_coach_profile: {
        Args: {
          p_about: string | null;
          p_accepting: boolean | null;
          p_areas: string[] | null;
          p_capacity: number | null;
          p_id: string | null;
          p_industries?: string[] | null;
          p_paused_until?: string | null;
        };
        Returns: Json;
      };
      save_demographics: {
        Args: {
          p_age_group: string | null;
          p_disability: boolean | null;
          p_gender: string | null;
          p_origins: string[] | null;
          p_place: string | null;
          p_veteran: boolean | null;
        };
        Returns: undefined;
      };
      save_message_draft: {
        Args: {
          p_body: string | null;
          p_conversation_id: string | null;
          p_reply_to?: string | null;
        };
        Returns: undefined;
      };
      save_my_coaching: {
        Args: {
          p_about: string | null;
          p_accepting: boolean | null;
          p_areas: string[] | null;
          p_capacity: number | null;
          p_industries: string[] | null;
          p_paused_until?: string | null;
        };
        Returns: Json;
      };
      save_newsletter_issue: {
        Args: {
          p_body: string | null;
          p_id: string | null;
          p_preview: string | null;
          p_revision: number | null;
          p_subject: string | null;
        };
        Returns: Json;
      };
      save_notification_settings: {
        Args: {
          p_coaching?: boolean | null;
          p_message_text?: boolean | null;
          p_messages?: boolean | null;
          p_news?: boolean | null;
          p_reminders?: boolean | null;
        };
        Returns: undefined;
      };
      save_plan_field: {
        Args: {
          p_base_revision: number | null;
          p_business_id: string | null;
          p_editor: string | null;
          p_field: string | null;
          p_value: string | null;
        };
        Returns: Json;
      };
      save_program: { Args: { p_changes: Json | null; p_id: string | null }; Returns: Json };
      save_project: {
        Args: {
          p_area_key?: string | null;
          p_baseline?: string | null;
          p_due_on?: string | null;
          p_engagement_id?: string | null;
          p_id: string | null;
          p_outcome?: string | null;
          p_revision: number | null;
          p_start_on?: string | null;
          p_title: string | null;
        };
        Returns: Json;
      };
      save_project_task: {
        Args: {
          p_due_on?: string | null;
          p_id: string | null;
          p_revision: number | null;
          p_title: string | null;
        };
        Returns: Json;
      };
      save_quiz_question: {
        Args: {
          p_key: string | null;
          p_question: Json | null;
          p_revision: number | null;
          p_version_id: string | null;
        };
        Returns: Json;
      };
      save_quiz_settings: {
        Args: { p_revision: number | null; p_settings: Json | null; p_version_id: string | null };
        Returns: Json;
      };
      save_session_note: {
        Args: { p_body: string | null; p_session_id: string | null };
        Returns: Json;
      };
      save_tool_copy: {
        Args: {
          p_body: string | null;
          p_id: string | null;
          p_revision: number | null;
          p_title: string | null;
        };
        Returns: Json;
      };
      save_tool_draft: {
        Args: { p_content: Json | null; p_id: string | null; p_revision: number | null };
        Returns: Json;
      };
      save_view: {
        Args: {
          p_id: string | null;
          p_list: string | null;
          p_name: string | null;
          p_query: string | null;
        };
        Returns: string;
      };
      save_worksheet: {
        Args: {
          p_base_revision: number | null;
          p_business_id: string | null;
          p_document: Json | null;
          p_kind: string | null;
        };
        Returns: Json;
      };
      schedule_session: {
        Args: {
          p_engagement_id: string | null;
          p_id: string | null;
          p_kind: string | null;
          p_minutes: number | null;
          p_place: string | null;
          p_starts_at: string | null;
          p_time_zone: string | null;
        };
        Returns: Json;
      };
      search_everything: { Args: { p_words: string | null }; Returns: Json };
      search_messages: {
        Args: { p_before?: string | null; p_limit?: number | null; p_query: string | null };
        Returns: Json;
      };
      send_message: {
        Args: {
          p_body: string | null;
          p_conversation_id: string | null;
          p_files?: string[] | null;
          p_id: string | null;
          p_reply_to?: string | null;
        };
        Returns: Json;
      };
      send_newsletter_issue: {
        Args: { p_at?: string | null; p_id: string | null; p_revision: number | null };
        Returns: Json;
      };
      send_purchase_order: {
        Args: {
          p_file_id?: string | null;
          p_id: string | null;
          p_po_number: string | null;
          p_total_minor?: number | null;
        };
        Returns: Json;
      };
      session_context: { Args: Record<PropertyKey, never>; Returns: Json };
      set_avatar: { Args: { p_path: string | null }; Returns: string[] };
      set_blocked: {
        Args: { p_blocked: boolean | null; p_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      set_contact_message_outcome: {
        Args: { p_id: string | null; p_outcome: string | null };
        Returns: Json;
      };
      set_conversation_muted: {
        Args: { p_conversation_id: string | null; p_muted: boolean | null };
        Returns: Json;
      };
      set_due_dates: { Args: { p_changes: Json | null }; Returns: Json };
      set_person_blocked: {
        Args: { p_blocked: boolean | null; p_person_id: string | null };
        Returns: Json;
      };
      set_price: {
        Args: {
          p_amount_minor: number | null;
          p_every: string | null;
          p_expected_minor: number | null;
          p_plan: string | null;
          p_reason: string | null;
        };
        Returns: Json;
      };
      set_project_task_state: {
        Args: { p_id: string | null; p_reason?: string | null; p_state: string | null };
        Returns: Json;
      };
      set_results_shared: {
        Args: { p_engagement_id: string | null; p_shared: boolean | null };
        Returns: Json;
      };
      set_sponsor: {
        Args: {
          p_address: string | null;
          p_is_sponsor: boolean | null;
          p_program_id: string | null;
        };
        Returns: Json;
      };
      set_staff_role: {
        Args: { p_reason: string | null; p_role: string | null; p_user_id: string | null };
        Returns: Json;
      };
      set_toggle: {
        Args: {
          p_audience: string | null;
          p_expires_on: string | null;
          p_key: string | null;
          p_owner_id: string | null;
          p_percentage: number | null;
          p_reason: string | null;
          p_roles: string[] | null;
        };
        Returns: Json;
      };
      set_tool_review: { Args: { p_id: string | null; p_months: number | null }; Returns: Json };
      settle_coaching_action: {
        Args: { p_id: string | null; p_state: string | null };
        Returns: Json;
      };
      settle_focus_action: { Args: { p_id: string | null; p_state: string | null }; Returns: Json };
      settle_message_report: {
        Args: { p_outcome: string | null; p_reason: string | null; p_report_id: string | null };
        Returns: Json;
      };
      settle_recommendation: {
        Args: { p_id: string | null; p_project_id?: string | null; p_state: string | null };
        Returns: Json;
      };
      start_attempt: {
        Args: { p_business_id?: string | null; p_id: string | null; p_version_id: string | null };
        Returns: Json;
      };
      start_checkout: { Args: { p_id: string | null }; Returns: Json };
      stop_counting: { Args: { p_seat_id: string | null }; Returns: Json };
      stop_newsletter_issue: {
        Args: { p_id: string | null; p_stopped: boolean | null };
        Returns: Json;
      };
      store_claim: {
        Args: {
          p_answers: Json | null;
          p_claim: string | null;
          p_confidences?: Json | null;
          p_kind: string | null;
          p_version_id: string | null;
        };
        Returns: Json;
      };
      submit_survey_response: {
        Args: {
          p_id: string | null;
          p_invitation?: string | null;
          p_response: Json | null;
          p_survey_id: string | null;
        };
        Returns: Json;
      };
      swap_recommendation: {
        Args: { p_area_key: string | null; p_attempt_id: string | null; p_position: number | null };
        Returns: Json;
      };
      take_claim: {
        Args: { p_business_id?: string | null; p_claim: string | null; p_id: string | null };
        Returns: Json;
      };
      take_seat: {
        Args: {
          p_business_id: string | null;
          p_code?: string | null;
          p_consent_version: number | null;
          p_postal_code?: string | null;
          p_seat_id?: string | null;
          p_shares_figures: boolean | null;
        };
        Returns: Json;
      };
      test_newsletter_issue: { Args: { p_id: string | null }; Returns: Json };
      toggles_on: { Args: Record<PropertyKey, never>; Returns: Json };
      unarchive_business: { Args: { p_business_id: string | null }; Returns: Json };
      unassign_coach: {
        Args: { p_engagement_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      undo_merge: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      unread_counts: { Args: Record<PropertyKey, never>; Returns: Json };
      unschedule_newsletter_issue: { Args: { p_id: string | null }; Returns: Json };
      use_recovery_code: { Args: { p_code: string | null }; Returns: Json };
      void_attempt: {
        Args: { p_attempt_id: string | null; p_reason: string | null };
        Returns: Json;
      };
      void_order: { Args: { p_id: string | null; p_reason: string | null }; Returns: Json };
      wait_for_seat: { Args: { p_code: string | null }; Returns: Json };
      waive_session: {
        Args: { p_reason: string | null; p_session_id: string | null };
        Returns: Json;
      };
      withdraw_coaching: { Args: { p_engagement_id: string | null }; Returns: Json };
      withdraw_offer: { Args: { p_id: string | null }; Returns: Json };
    };
    Enums: {
      [_ in never]: never;
    };
    CompositeTypes: {
      [_ in never]: never;
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema['Enums']
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {},
  },
} as const;
